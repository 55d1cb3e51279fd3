package main

import (
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// mostSeries bounds the series of an emergod: some four hundred, whatever its callers do.
const mostSeries = 600

// series returns the names and labels of emergod's metrics.
func (p *process) series(t *testing.T) map[string]bool {
	t.Helper()
	response, err := http.Get("http://" + p.admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	series := map[string]bool{}
	for line := range strings.Lines(string(body)) {
		if !strings.HasPrefix(line, "#") {
			series[line[:strings.LastIndexByte(line, ' ')]] = true
		}
	}
	return series
}

// scramble fills the fields of a message with what nobody would send.
func scramble(m protoreflect.Message, depth int) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		value := func() protoreflect.Value {
			switch field.Kind() {
			case protoreflect.StringKind:
				return protoreflect.ValueOfString(nonsense())
			case protoreflect.BytesKind:
				return protoreflect.ValueOfBytes([]byte(nonsense()))
			case protoreflect.EnumKind:
				return protoreflect.ValueOfEnum(protoreflect.EnumNumber(rand.Int32N(1000)))
			case protoreflect.BoolKind:
				return protoreflect.ValueOfBool(rand.N(2) == 0)
			case protoreflect.Int32Kind:
				return protoreflect.ValueOfInt32(rand.Int32())
			case protoreflect.Int64Kind:
				return protoreflect.ValueOfInt64(rand.Int64())
			case protoreflect.Uint32Kind:
				return protoreflect.ValueOfUint32(rand.Uint32())
			case protoreflect.Uint64Kind:
				return protoreflect.ValueOfUint64(rand.Uint64())
			}
			return protoreflect.Value{}
		}
		switch {
		case rand.N(3) == 0 || field.IsMap():
		case field.IsList() && field.Message() == nil:
			for range rand.N(4) {
				if v := value(); v.IsValid() {
					m.Mutable(field).List().Append(v)
				}
			}
		case field.IsList():
		case field.Message() != nil:
			if depth > 0 {
				scramble(m.Mutable(field).Message(), depth-1)
			}
		default:
			if v := value(); v.IsValid() {
				m.Set(field, v)
			}
		}
	}
}

func nonsense() string { return strconv.FormatUint(rand.Uint64(), 36) }

// No label is for a caller to choose: whatever is asked, by whatever name, the series stay the same.
func TestCallersMakeNoSeries(t *testing.T) {
	t.Parallel()
	p := serve(t, "--evaluate-max-time=1ms")
	conn := p.connect(t)
	methods := emergov1.File_emergo_v1_rules_service_proto.Services().ByName("RulesService").Methods()
	bother := func(times int) {
		for range times {
			for i := range methods.Len() {
				method := methods.Get(i)
				ctx := metadata.AppendToOutgoingContext(t.Context(), "x-request-id", nonsense(), "authorization", "Bearer "+nonsense(), "x-client-name", nonsense())
				request, answer := dynamicpb.NewMessage(method.Input()), dynamicpb.NewMessage(method.Output())
				scramble(request, 3)
				_ = conn.Invoke(ctx, "/emergo.v1.RulesService/"+string(method.Name()), request, answer, grpc.StaticMethod())          // refused
				_ = conn.Invoke(ctx, "/emergo.v1.RulesService/"+nonsense(), request, answer)                                          // unknown
				_ = conn.Invoke(ctx, "/"+nonsense()+"/"+string(method.Name()), request, answer)                                       // unknown
				_ = conn.Invoke(ctx, "/emergo.v1.RulesService/"+string(method.Name()), dynamicpb.NewMessage(method.Output()), answer) // answered or not
			}
		}
	}
	bother(20) // makes the series that there are for refusals
	before := p.series(t)
	bother(60)
	for name := range p.series(t) {
		if !before[name] {
			t.Errorf("there is a new series %s", name)
		}
	}
	if len(before) > mostSeries {
		t.Errorf("there are %d series", len(before))
	}
	t.Logf("%d series", len(before))
	if err := play(t.Context(), conn); err != nil {
		t.Errorf("afterwards a call is answered %v", err)
	}
}
