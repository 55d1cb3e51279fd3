package server

import (
	"context"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"
)

// ErrorDomain is the domain of every google.rpc.ErrorInfo that a call is answered with.
const ErrorDomain = "emergod"

// Overloaded returns the error of a call for which a service has no capacity: RESOURCE_EXHAUSTED,
// with how long to wait before trying again, at least a millisecond. sentence says what is wrong and
// what would be right.
func Overloaded(ctx context.Context, sentence string, retry time.Duration) error {
	retry = max(retry, time.Millisecond)
	pushBack(ctx, retry)
	return newError(codes.ResourceExhausted, "OVERLOADED", sentence, retry)
}

// ErrStopping is the error of a call that ends because the server stops.
var ErrStopping = newError(codes.Unavailable, "STOPPING", "The server is stopping: try again, another may answer.", 0)

// newError returns the error of a call that fails for a reason of the server's own. If it makes
// sense to try again, retry is after how long.
func newError(code codes.Code, reason, sentence string, retry time.Duration) error {
	details := []protoadapt.MessageV1{&errdetails.ErrorInfo{Reason: reason, Domain: ErrorDomain}}
	if retry > 0 {
		details = append(details, &errdetails.RetryInfo{RetryDelay: durationpb.New(retry)})
	}
	st := status.New(code, sentence)
	if detailed, err := st.WithDetails(details...); err == nil {
		st = detailed
	}
	return st.Err()
}
