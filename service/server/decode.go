package server

import (
	"context"
	"errors"
	"io"
	"slices"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/gzip" // for callers who compress; what comes of it is bounded like any request
	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
)

// Register registers a service, whose callers send one message a call, with s so that a request is
// decoded inside of the interceptors, not before them: a call that is turned away costs no decoding,
// and one that cannot be decoded is counted and logged like any other and answered with the error
// that malformed makes for the method's name. gRPC by itself decodes first, and answers INTERNAL as
// if the fault were the server's. Interceptors see no request. It works with the registrar that New
// hands out only.
func Register(s grpc.ServiceRegistrar, desc *grpc.ServiceDesc, service any, malformed func(method string) error) {
	registered := *desc
	registered.Methods = make([]grpc.MethodDesc, len(desc.Methods))
	for i, method := range desc.Methods {
		info := &grpc.UnaryServerInfo{Server: service, FullMethod: "/" + desc.ServiceName + "/" + method.MethodName}
		registered.Methods[i] = grpc.MethodDesc{
			MethodName: method.MethodName,
			Handler: func(service any, ctx context.Context, decode func(any) error, intercept grpc.UnaryServerInterceptor) (any, error) {
				return intercept(ctx, nil, info, func(ctx context.Context, _ any) (any, error) {
					return method.Handler(service, ctx, func(request any) error {
						return read(ctx, request, decode, func() error { return malformed(method.MethodName) })
					}, nil)
				})
			},
		}
	}
	registered.Streams = slices.Clone(desc.Streams)
	for i, stream := range desc.Streams {
		registered.Streams[i].Handler = func(service any, s grpc.ServerStream) error {
			return stream.Handler(service, readStream{s, func() error { return malformed(stream.StreamName) }})
		}
	}
	s.RegisterService(&registered, service)
}

// read reads a request by decode and begins to work on the call, or says why not.
func read(ctx context.Context, request any, decode func(any) error, malformed func() error) error {
	r := received{message: request}
	err := decode(&r)
	switch {
	case errors.Is(r.err, errTooLarge):
		pushBack(ctx, -1)
		return errTooLarge
	// INTERNAL is what gRPC answers, and has answered by now, to a message that is missing, cut
	// short or compressed badly; of streams it is errMalformed here, and the end if it is missing. It is
	// counted as the caller's fault all the same, or callers could make it look as if the server failed.
	case r.err != nil, status.Code(err) == codes.Internal, errors.Is(err, errMalformed), errors.Is(err, io.EOF):
		return malformed()
	case err != nil:
		return err
	}
	return begin(ctx)
}

// A readStream is a stream of a method of Register's.
type readStream struct {
	grpc.ServerStream
	malformed func() error
}

func (s readStream) RecvMsg(request any) error {
	return read(s.Context(), request, s.ServerStream.RecvMsg, s.malformed)
}

// explainStream does for streams what Register does for calls: what is malformed is counted and
// logged as the caller's fault.
func explainStream(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
	return handler(srv, explainedStream{stream})
}

type explainedStream struct{ grpc.ServerStream }

func (s explainedStream) RecvMsg(message any) error {
	err := s.ServerStream.RecvMsg(message)
	if status.Code(err) == codes.Internal { // see Register
		return errMalformed
	}
	return err
}

var errMalformed = newError(codes.InvalidArgument, "REQUEST_MALFORMED", "The request cannot be read.", 0)

// received is a request that has been read from the wire, well or not.
type received struct {
	message any
	err     error
}

// codec is gRPC's codec for protobuf, but keeps the error of a received, and refuses one that is
// too large: gRPC sends an error that it finds itself to the caller at once, unexplained.
type codec struct {
	encoding.CodecV2
	most int // bytes of a request
}

func newCodec(maxRequestBytes int) codec {
	return codec{encoding.GetCodecV2(proto.Name), maxRequestBytes}
}

// readBytes is how much of a request is read at most, so that one somewhat too large can be told
// so.
func readBytes(maxRequestBytes int) int { return 2 * maxRequestBytes }

var errTooLarge = newError(codes.ResourceExhausted, "REQUEST_TOO_LARGE", "The request is larger than the server reads.", 0)

func (c codec) Unmarshal(data mem.BufferSlice, v any) error {
	r, ok := v.(*received)
	switch {
	case !ok:
		return c.CodecV2.Unmarshal(data, v)
	case data.Len() > c.most:
		r.err = errTooLarge
	default:
		r.err = c.CodecV2.Unmarshal(data, r.message)
	}
	return nil
}
