package emergorules

import (
	"context"

	"google.golang.org/grpc"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// explainMalformed returns a copy of desc by which a request that cannot be decoded is the caller's
// fault, and passes through the interceptors like any other call. Left to itself, gRPC answers
// INTERNAL and tells no interceptor.
func explainMalformed(desc *grpc.ServiceDesc) *grpc.ServiceDesc {
	explained := *desc
	explained.Methods = make([]grpc.MethodDesc, len(desc.Methods))
	for i, method := range desc.Methods {
		explained.Methods[i] = grpc.MethodDesc{
			MethodName: method.MethodName,
			Handler: func(srv any, ctx context.Context, decode func(any) error, intercept grpc.UnaryServerInterceptor) (any, error) {
				var undecoded any
				answer, err := method.Handler(srv, ctx, func(req any) error {
					err := decode(req)
					if err != nil {
						undecoded = req
					}
					return err
				}, intercept)
				if undecoded == nil {
					return answer, err
				}
				refuse := func(context.Context, any) (any, error) { return nil, malformed(method.MethodName) }
				if intercept == nil {
					return refuse(ctx, undecoded)
				}
				info := &grpc.UnaryServerInfo{Server: srv, FullMethod: "/" + desc.ServiceName + "/" + method.MethodName}
				return intercept(ctx, undecoded, info, refuse)
			},
		}
	}
	return &explained
}

func malformed(method string) error {
	return &Error{
		Reason:   emergov1.ErrorReason_ERROR_REASON_REQUEST_MALFORMED,
		Sentence: "The request cannot be read: its bytes must be a protobuf message emergo.v1." + method + "Request whose strings are UTF-8.",
	}
}
