package main

import (
	"context"
	"encoding"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	emergov1 "github.com/luctor-et-emergo/emergod/proto/emergo/v1"
)

// Every flag of a number or a time has bounds, and what is beyond them is a fault of the command line.
func TestQuantitiesAreBounded(t *testing.T) {
	dead := deadAddr(t)
	grammar, err := kong.New(&commandLine{}, append(quantities, kong.Vars(matchVars), kong.Vars{"fit_steps": "1", "version": ""})...)
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, command := range grammar.Model.Leaves(true) {
		for _, group := range command.AllFlags(true) {
			for _, flag := range group {
				if !isQuantity(flag.Target.Type()) {
					continue
				}
				if flag.Tag.Type == "" {
					t.Errorf("%s --%s has no bounds", command.Path(), flag.Name)
					continue
				}
				wrong := []string{"-1", "-1s", "x", "99999999999999999999999"}
				if most := flag.Tag.Get("to"); most != "" {
					wrong = append(wrong, "9"+most)
				}
				if least := flag.Tag.Get("from"); least != "" {
					wrong = append(wrong, strings.ReplaceAll(least, "1", "0"))
				}
				for _, value := range wrong {
					args := append(strings.Fields(command.FullPath())[1:], "--"+flag.Name, value)
					got := emergoAt(dead, "", args...)
					if says := fmt.Sprintf("emergo: --%s: it must be a ", flag.Name); got.status != exitUsage || got.out != "" || !strings.HasPrefix(got.err, says) {
						t.Errorf("%q: %+v, want %s", args, got, says)
					}
				}
				checked++
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d flags have bounds", checked)
	}
}

// isQuantity reports whether values of a type, or what they point to, are numbers or times and not
// something that is written by its name.
func isQuantity(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	_, named := reflect.New(t).Interface().(encoding.TextUnmarshaler)
	v := reflect.Zero(t)
	return !named && (v.CanInt() || v.CanUint())
}

// What the command line takes is what the server takes.
func TestBoundsAreTheServers(t *testing.T) {
	addr, _ := startServer(t)
	for _, args := range []string{
		"--depth=100 --nodes=1", "--nodes=1000000000 --depth=1", "--time=10m --depth=1", "--lines=64 --nodes=1", "--no-progress-limit=4096 --nodes=1",
	} {
		if got := emergoAt(addr, "", append([]string{"eval"}, strings.Fields(args)...)...); got.status != exitOK {
			t.Errorf("%s: %+v", args, got)
		}
	}
	s := &session{ctx: context.Background(), addr: addr, timeout: time.Minute}
	c, err := s.client()
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	for flag, beyond := range map[string]*emergov1.EvaluateRequest{
		"--depth=101":              {Limits: &emergov1.SearchLimits{Depth: 101}},
		"--nodes=1000000001":       {Limits: &emergov1.SearchLimits{Nodes: 1_000_000_001}},
		"--time=600001ms":          {Limits: &emergov1.SearchLimits{Milliseconds: 600_001}},
		"--lines=65":               {Lines: 65},
		"--no-progress-limit=4097": {Game: &emergov1.Game{Ruleset: &emergov1.Ruleset{NoProgressLimit: 4097}}},
	} {
		if got := emergoAt(addr, "", "eval", flag); got.status != exitUsage || got.out != "" {
			t.Errorf("%s: %+v", flag, got)
		}
		if _, err := c.evaluate(beyond.GetGame(), beyond.GetLimits(), beyond.GetLines()); err == nil || !strings.Contains(err.Error(), "[LIMIT_OUT_OF_RANGE]") {
			t.Errorf("%v: %v", beyond, err)
		}
	}
}

func TestJoinNegatives(t *testing.T) {
	for args, want := range map[string]string{
		"eval --nodes -1 c3":         "eval --nodes=-1 c3",
		"match a b --sprt -10,0":     "match a b --sprt=-10,0",
		"match a b --error -.5":      "match a b --error=-.5",
		"moves -":                    "moves -",
		"moves --json -":             "moves --json -",
		"eval -1":                    "eval -1",
		"eval --nodes=2 -1":          "eval --nodes=2 -1",
		"tables build --pieces 2 -o": "tables build --pieces 2 -o",
		"moves -- -1":                "moves -- -1",
	} {
		if got := strings.Join(joinNegatives(strings.Fields(args)), " "); got != want {
			t.Errorf("%s: got %s, want %s", args, got, want)
		}
	}
}
