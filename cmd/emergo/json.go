package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// printJSON prints a message over several lines.
func printJSON(w io.Writer, m proto.Message) error {
	compact, err := messageJSON(m)
	if err != nil {
		return err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, compact, "", "  "); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", indented.Bytes())
	return err
}

// printMessageLine prints a message in one line.
func printMessageLine(w io.Writer, m proto.Message) error {
	compact, err := messageJSON(m)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", compact)
	return err
}

func printJSONLine(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", ascii(text))
	return err
}

// messageJSON returns the protobuf JSON of a message, with all its fields, and always with the same white space, which
// protojson varies on purpose.
func messageJSON(m proto.Message) ([]byte, error) {
	text, err := protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(m)
	if err != nil {
		return nil, err
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return nil, err
	}
	return ascii(compact.Bytes()), nil
}

// ascii escapes what is not ASCII in a JSON text. JSON itself leaves some control characters as they are.
func ascii(text []byte) []byte {
	var b bytes.Buffer
	for _, r := range string(text) {
		switch {
		case r < 0x7f:
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		}
	}
	return b.Bytes()
}
