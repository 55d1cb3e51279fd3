package main

import (
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/alecthomas/kong"
)

// Flags of quantities say in their tags what they may be: `type:"whole" from:"1" to:"250"`. Without
// from they begin at zero, without to they go on for ever.
var quantities = []kong.Option{
	kong.NamedMapper("whole", quantity("whole number", "", parseWhole)),
	kong.NamedMapper("duration", quantity("time", ", as in 500ms or 2s", parseDuration)),
}

// quantity returns what reads the values of a kind of quantity.
func quantity(kind, example string, parse func(string) (uint64, error)) kong.Mapper {
	return kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
		token, err := ctx.Scan.PopValue(kind)
		if err != nil {
			return err
		}
		if target.Kind() == reflect.Pointer { // nil if the flag is not given
			target.Set(reflect.New(target.Type().Elem()))
			target = target.Elem()
		}
		bounds := [2]uint64{0, 1<<64 - 1}
		if target.CanInt() {
			bounds[1] = 1<<(target.Type().Bits()-1) - 1
		}
		tag := ctx.Value.Tag
		for i, name := range []string{"from", "to"} {
			if tag.Has(name) {
				if bounds[i], err = parse(tag.Get(name)); err != nil {
					return err
				}
			}
		}
		n, err := parse(token.String())
		switch {
		case err == nil && n >= bounds[0] && n <= bounds[1]:
		case tag.Has("to"):
			return fmt.Errorf("it must be a %s from %s to %s%s", kind, orZero(tag.Get("from")), tag.Get("to"), example)
		default:
			return fmt.Errorf("it must be a %s, %s or more%s", kind, orZero(tag.Get("from")), example)
		}
		if target.CanUint() {
			target.SetUint(n)
		} else {
			target.SetInt(int64(n))
		}
		return nil
	})
}

func parseWhole(text string) (uint64, error) { return strconv.ParseUint(text, 10, 64) }

func parseDuration(text string) (uint64, error) {
	d, err := time.ParseDuration(text)
	if err == nil && d < 0 {
		err = strconv.ErrRange
	}
	return uint64(d), err
}

func orZero(text string) string {
	if text == "" {
		return "0"
	}
	return text
}
