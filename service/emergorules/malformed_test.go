package emergorules_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// rawCodec sends bytes as they are.
type rawCodec struct{}

func (rawCodec) Name() string { return "proto" }
func (rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.([]byte))}, nil
}
func (rawCodec) Unmarshal(mem.BufferSlice, any) error { return nil }

// What cannot be decoded is the caller's fault, said as any other error is, and counted.
func TestMalformedRequest(t *testing.T) {
	s := startServer(t)
	conn := dial(t, s.Addr(), grpc.WithDefaultCallOptions(grpc.ForceCodecV2(rawCodec{})))
	for name, request := range map[string][]byte{
		"truncated":    {0x0a, 0xff},
		"not UTF-8":    {0x12, 0x01, 0xff},
		"wrong type":   {0x08, 0x01, 0x0f},
		"endless tag":  {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
		"unended text": []byte("\x12\x40c3"),
	} {
		for _, method := range []string{"NewGame", "LegalMoves", "ApplyMove", "Evaluate"} {
			if name == "not UTF-8" && (method == "NewGame" || method == "Evaluate") {
				continue // they have no such field, and unknown fields are skipped
			}
			err := conn.Invoke(t.Context(), "/emergo.v1.RulesService/"+method, request, nil)
			if status.Code(err) == codes.OK {
				t.Errorf("%s: %s is accepted", method, name)
				continue
			}
			checkStatus(t, err, codes.InvalidArgument, "REQUEST_MALFORMED", "")
		}
	}
	want := `grpc_server_handled_total{grpc_code="InvalidArgument",grpc_method="ApplyMove",grpc_service="emergo.v1.RulesService",grpc_type="unary"} 5`
	if !slices.Contains(scrape(t, s, "grpc_server_handled_total"), want) {
		t.Errorf("the metrics do not say %s", want)
	}
	want = `emergo_malformed_requests_total{reason="REQUEST_MALFORMED"} 18`
	if got := scrape(t, s, "emergo_"); !slices.Equal(got, []string{want}) {
		t.Errorf("the metrics say %v, want %s", got, want)
	}
}

// Random bytes, and requests with bytes changed, are answered properly and quickly enough to go on.
func TestHostileBytes(t *testing.T) {
	conn := dial(t, startServer(t).Addr(), grpc.WithDefaultCallOptions(grpc.ForceCodecV2(rawCodec{})))
	random := rand.New(rand.NewPCG(3, 4))
	sound, err := proto.Marshal(&emergov1.ApplyMoveRequest{
		Game: &emergov1.Game{Position: diagram, Ruleset: &emergov1.Ruleset{Board: 1}}, Move: "d4xb6xd8xf6xd4xb6"})
	if err != nil {
		t.Fatal(err)
	}
	for range 2000 {
		var request []byte
		if random.IntN(2) == 0 {
			request = make([]byte, random.IntN(300))
			for i := range request {
				request[i] = byte(random.Uint32())
			}
		} else {
			request = append(request, sound...)
			for range 1 + random.IntN(3) {
				request[random.IntN(len(request))] = byte(random.Uint32())
			}
		}
		err := conn.Invoke(t.Context(), "/emergo.v1.RulesService/ApplyMove", request, nil)
		switch status.Code(err) {
		case codes.OK:
		case codes.InvalidArgument, codes.FailedPrecondition:
			reasonOf(t, err)
			checkErrorSize(t, err, "random bytes")
		default:
			t.Fatalf("%x is answered %v", request, err)
		}
	}
}
