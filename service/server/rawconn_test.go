package server_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/grpc/codes"
)

// A rawConn speaks HTTP/2 frame by frame, as no client library would.
type rawConn struct {
	net.Conn
	t      *testing.T
	frames *http2.Framer
	block  bytes.Buffer
	fields *hpack.Encoder
}

func dialRaw(t *testing.T, address string, settings ...http2.Setting) *rawConn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	return speakRaw(t, conn, settings...)
}

// speakRaw begins to speak HTTP/2 on a connection.
func speakRaw(t *testing.T, conn net.Conn, settings ...http2.Setting) *rawConn {
	t.Helper()
	if _, err := io.WriteString(conn, http2.ClientPreface); err != nil {
		t.Fatal(err)
	}
	c := &rawConn{Conn: conn, t: t, frames: http2.NewFramer(conn, conn)}
	c.frames.AllowIllegalWrites = true
	c.frames.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	c.fields = hpack.NewEncoder(&c.block)
	c.write(c.frames.WriteSettings(settings...))
	return c
}

// write takes the error of a write and reports whether it went well. The server may hang up at any
// time, which is for the reader to judge.
func (c *rawConn) write(err error) bool { return err == nil }

// headers encodes the header of a call of probeMethod, or another :path, with more fields, names and
// values in turn.
func (c *rawConn) headers(more ...string) []byte {
	c.block.Reset()
	path := probeMethod
	if len(more) > 1 && more[0] == ":path" {
		path, more = more[1], more[2:]
	}
	for fields := append([]string{
		":method", "POST", ":scheme", "http", ":path", path, ":authority", "localhost",
		"content-type", "application/grpc", "te", "trailers",
	}, more...); len(fields) > 0; fields = fields[2:] {
		c.write(c.fields.WriteField(hpack.HeaderField{Name: fields[0], Value: fields[1]}))
	}
	return bytes.Clone(c.block.Bytes())
}

// request begins a call; end says that no message will follow.
func (c *rawConn) request(stream uint32, end bool, more ...string) bool {
	return c.write(c.frames.WriteHeaders(http2.HeadersFrameParam{
		StreamID: stream, BlockFragment: c.headers(more...), EndHeaders: true, EndStream: end,
	}))
}

// send sends an empty message.
func (c *rawConn) send(stream uint32, end bool) bool {
	return c.write(c.frames.WriteData(stream, end, make([]byte, 5)))
}

// message sends bytes as a message of gRPC, with its flag.
func (c *rawConn) message(stream uint32, flag byte, message []byte) bool {
	framed := binary.BigEndian.AppendUint32([]byte{flag}, uint32(len(message)))
	return c.write(c.frames.WriteData(stream, true, append(framed, message...)))
}

// awaitEnd reads until a stream or the connection ends, and says how: by the status of a call, the
// code of HTTP/2, or "hung up".
func (c *rawConn) awaitEnd() string {
	c.t.Helper()
	for {
		frame, err := c.frames.ReadFrame()
		if errors.Is(err, os.ErrDeadlineExceeded) {
			c.t.Error("the server neither answers nor hangs up")
		}
		if err != nil {
			return "hung up"
		}
		switch frame := frame.(type) {
		case *http2.RSTStreamFrame:
			return frame.ErrCode.String()
		case *http2.GoAwayFrame:
			return frame.ErrCode.String()
		case *http2.MetaHeadersFrame:
			if !frame.StreamEnded() {
				continue
			}
			for _, field := range frame.Fields {
				if field.Name == "grpc-status" {
					n, err := strconv.Atoi(field.Value)
					if err != nil {
						c.t.Errorf("the status is %q", field.Value)
					}
					return codes.Code(n).String()
				}
			}
			return "no status"
		}
	}
}

// ignore reads whatever comes until the connection is closed.
func (c *rawConn) ignore() (wait func()) {
	var done sync.WaitGroup
	done.Go(func() { _, _ = io.Copy(io.Discard, c.Conn) })
	return done.Wait
}
