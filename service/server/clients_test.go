package server_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/types/known/emptypb"
)

// tokenLine returns the line of a tokens file by which a client is known.
func tokenLine(client, token string) string {
	hash := sha256.Sum256([]byte(token))
	return client + " sha256:" + hex.EncodeToString(hash[:]) + "\n"
}

// tokensFile writes a file in which each client's token is its name and "'s token".
func tokensFile(t *testing.T, clients ...string) string {
	t.Helper()
	var lines string
	for _, client := range clients {
		lines += tokenLine(client, client+"'s token")
	}
	path := filepath.Join(t.TempDir(), "tokens")
	replace(t, path, []byte(lines))
	return path
}

// replace writes a file as a careful operator does: it is never seen half written.
func replace(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path+".new", content, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// bearing adds a client's token to a call.
func bearing(ctx context.Context, client string) context.Context {
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+client+"'s token")
}

// connect opens a connection besides that of r.
func (r *running) connect(t *testing.T, options ...grpc.DialOption) *grpc.ClientConn {
	t.Helper()
	if len(options) == 0 {
		options = []grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials())}
	}
	conn, err := grpc.NewClient(r.Addr().String(), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// callOn calls probeMethod.
func callOn(ctx context.Context, conn *grpc.ClientConn, options ...grpc.CallOption) error {
	return conn.Invoke(ctx, probeMethod, &emptypb.Empty{}, &emptypb.Empty{}, options...)
}
