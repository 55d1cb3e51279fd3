package server

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
)

// Register registers a service of unary methods with s so that a request that cannot be decoded
// passes through the interceptors like any other call and is answered with the error that malformed
// makes for the method's name. gRPC by itself answers INTERNAL, as if the fault were the server's,
// and tells no interceptor. It works with the registrar that New hands out only.
func Register(s grpc.ServiceRegistrar, desc *grpc.ServiceDesc, service any, malformed func(method string) error) {
	registered := *desc
	registered.Methods = make([]grpc.MethodDesc, len(desc.Methods))
	for i, method := range desc.Methods {
		registered.Methods[i] = grpc.MethodDesc{
			MethodName: method.MethodName,
			Handler: func(service any, ctx context.Context, decode func(any) error, intercept grpc.UnaryServerInterceptor) (any, error) {
				var request any
				var failed error
				answer, err := method.Handler(service, ctx, func(message any) error {
					r := received{message: message}
					if failed = decode(&r); failed == nil && r.err != nil {
						failed = malformed(method.MethodName)
					}
					request = message
					return failed
				}, intercept)
				if failed == nil || intercept == nil {
					return answer, err
				}
				info := &grpc.UnaryServerInfo{Server: service, FullMethod: "/" + desc.ServiceName + "/" + method.MethodName}
				return intercept(ctx, request, info, func(context.Context, any) (any, error) { return nil, failed })
			},
		}
	}
	s.RegisterService(&registered, service)
}

// received is a request that has been read from the wire, well or not.
type received struct {
	message any
	err     error
}

// codec is gRPC's codec for protobuf, but keeps the error of a received: gRPC sends an error that
// its codec returns to the caller at once.
type codec struct{ encoding.CodecV2 }

var protoCodec = codec{encoding.GetCodecV2(proto.Name)}

func (c codec) Unmarshal(data mem.BufferSlice, v any) error {
	if r, ok := v.(*received); ok {
		r.err = c.CodecV2.Unmarshal(data, r.message)
		return nil
	}
	return c.CodecV2.Unmarshal(data, v)
}
