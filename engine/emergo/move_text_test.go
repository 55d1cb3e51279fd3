package emergo_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"pgregory.net/rapid"
)

// Strings that are no move, in whatever position.
func TestMalformedMove(t *testing.T) {
	for _, c := range []struct{ name, text, problem string }{
		{"empty", "", "it is empty"},
		{"only white space", " \t\r\n", "it is empty"},
		{"64 bytes of white space", strings.Repeat(" ", 64), "it is empty"},
		{"65 bytes", "c3" + strings.Repeat(" ", 63), "it has 65 bytes; at most 64"},
		{"far too long", strings.Repeat("c3x", 1<<20), "it has 3145728 bytes"},
		{"a word", "resign", `"resign" does not begin with a square`},
		{"NUL", "\x00", `"\x00" is not a square`},
		{"not UTF-8", "\xff\xfe\xfd", `"\xff\xfe\xfd" does not begin with a square`},
		{"space beyond ASCII", "\u00a0c3", `"\u00a0c3" does not begin with a square`},
		{"letter beyond ASCII", "\u00e93", `"\u00e93" does not begin with a square`},
		{"full-width letters", "\uff433", `"\uff433" does not begin with a square`},

		{"file alone", "c", `"c" is not a square`},
		{"rank alone", "3", `"3" is not a square`},
		{"rank before file", "3c", `"3c" does not begin with a square`},
		{"file beyond the board", "j1", `"j1" does not begin with a square`},
		{"rank beyond the board", "a10", `"0" is not a square`},
		{"rank zero", "a0", `"a0" does not begin with a square`},
		{"unplayable square", "A2", "a2 is not played on"},
		{"unplayable square further on", "c3-d3", "d3 is not played on"},
		{"punctuation that is a letter but for one bit", "C3-\x042", `"\x042" does not begin with a square`},

		{"no number of men", "c3*", `"*" is not the size of a shadowpiece`},
		{"no man", "c3*0", `"*0" is not the size`},
		{"one man", "c3*1", "one man is entered by its square alone: c3"},
		{"more men than there are", "c3*13", `"*13" is not the size`},
		{"leading zero", "c3*05", `"*05" is not the size`},
		{"negative number of men", "c3*-5", `"*-5" is not the size`},
		{"number of men with a plus sign", "c3*+5", `"*+5" is not the size`},
		{"letters for a number", "c3*L", `"*L" is not the size`},
		{"number of men beyond 64 bits", "c3*18446744073709551621", `"*184467440737095"... is not the size`},
		{"space before the number of men", "c3 *5", "white space inside"},
		{"step with a number of men", "c3-d4*2", `"*2" does not begin with a square`},
		{"capture with a number of men", "c3xe5*2", `"*2" does not begin with a square`},
		{"number of men after a separator", "c3-*5", `"*5" does not begin with a square`},

		{"separator first", "xc3", `"xc3" does not begin with a square`},
		{"hyphen last", "c3-", "a square is missing after the last separator"},
		{"x last", "c3xe5x", "a square is missing after the last separator"},
		{"two separators", "c3--d4", `"-d4" does not begin with a square`},
		{"another separator", "c3>d4", `">d4" does not begin with a square`},
		{"dash beyond ASCII", "c3\u2013d4", `"\u2013d4" does not begin with a square`},
		{"multiplication sign", "c3\u00d7e5", `"\u00d7e5" does not begin with a square`},
		{"spaces around the separator", "c3 - d4", "white space inside"},
		{"two moves", "c3 d4", "white space inside"},
		{"x and colon", "d4xb6:d8", "its separators differ"},
		{"x and hyphen", "d4xb6-d8", "its separators differ"},
		{"x and nothing", "d4xb6d8", "its separators differ"},
		{"nothing and x", "d4b6xd8", "its separators differ"},
		{"step of three squares", "c3-d4-e5", "a step has two squares"},
		{"step of three squares without hyphens", "c3d4e5", "a step has two squares"},
		{"capture of thirteen men", "a1" + strings.Repeat("xc3xa1", 6) + "xc3", "more than 13 squares"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := emergo.StartPosition(emergo.Board9x9)
			m, err := p.ParseMove(c.text)
			r, ok := errors.AsType[*emergo.Refusal](err)
			if !ok || m != 0 {
				t.Fatalf("ParseMove(%q) = %v, %v, want a *Refusal", c.text, m, err)
			}
			if got := refusalOf(t, err); got != (refusal{reason: emergo.MoveMalformed}) || !strings.Contains(r.Problem, c.problem) {
				t.Errorf("ParseMove(%q)\n got %v: %q\nwant %v: ...%s...", c.text, got, r.Problem, emergo.MoveMalformed, c.problem)
			}
		})
	}
}

// A square of the larger board is none of the smaller one, wherever in the move it is named.
func TestMoveOffTheSmallerBoard(t *testing.T) {
	p := emergo.StartPosition(emergo.Board7x7)
	for text, problem := range map[string]string{
		"h8": "h8 is not on the 7x7 board", "i9*3": "i9 is not on", "g7-h8": "h8 is not on", "e5xg7xi9": "i9 is not on", "a9xc7": "a9 is not on",
	} {
		_, err := p.ParseMove(text)
		r, ok := errors.AsType[*emergo.Refusal](err)
		if !ok || r.Reason != emergo.MoveMalformed || !strings.Contains(r.Problem, problem) {
			t.Errorf("ParseMove(%q): %v, want %v: ...%s...", text, err, emergo.MoveMalformed, problem)
		}
	}
}

// What a move tells of itself.
func TestMoveFields(t *testing.T) {
	for _, c := range []struct {
		position, move  string
		kind            emergo.MoveKind
		from, to        string
		men             int
		path            string
		over, landingOn string
	}{
		{start9x9, "c3", emergo.Entry, "c3", "c3", 1, "c3", "", ""},
		{"9/9/9/9/9/9/9/9/a@1A@6 w 13 11,0", "i9*11", emergo.Entry, "i9", "i9", 11, "i9", "", ""},
		{"8a@/9/9/9/9/9/9/9/L@8 w 24 0,11", "a1-b2", emergo.Step, "a1", "b2", 0, "a1 b2", "", ""},
		{"9/9/9/9/9/9/9/1b@7/A@8 w 3 11,10", "a1xc3", emergo.Capture, "a1", "c3", 1, "a1 c3", "b2", "c3"},
		{"9/9/2a@1a@4/9/2bb1a@4/3C@5/9/9/9 w 1 0,0", "d4xb6xd8xf6xd4xb6", emergo.Capture, "d4", "b6", 5,
			"d4 b6 d8 f6 d4 b6", "c5 c7 e7 e5 c5", "b6 d8 f6 d4 b6"},
	} {
		p := position(t, c.position)
		m, err := p.ParseMove(c.move)
		if err != nil {
			t.Errorf("%s: %s: %v", c.position, c.move, err)
			continue
		}
		if m.Kind() != c.kind || m.From().String() != c.from || m.To().String() != c.to || m.Men() != c.men {
			t.Errorf("%s is of kind %d from %v to %v with %d men, want %d from %s to %s with %d",
				c.move, m.Kind(), m.From(), m.To(), m.Men(), c.kind, c.from, c.to, c.men)
		}
		if got := names(m.AppendPath(nil)); got != c.path {
			t.Errorf("the path of %s is %q, want %q", c.move, got, c.path)
		}
		var over, landingOn []emergo.Square
		for jumped, land := range m.Jumps {
			over, landingOn = append(over, jumped), append(landingOn, land)
		}
		if names(over) != c.over || names(landingOn) != c.landingOn {
			t.Errorf("%s jumps over %q onto %q, want %q onto %q", c.move, names(over), names(landingOn), c.over, c.landingOn)
		}
		for range m.Jumps {
			break // an iterator must let go
		}
		if text, err := m.AppendText([]byte("move ")); string(text) != "move "+c.move || err != nil {
			t.Errorf("AppendText of %s gives %q, %v", c.move, text, err)
		}
	}
}

func names(squares []emergo.Square) string {
	var texts []string
	for _, s := range squares {
		texts = append(texts, s.String())
	}
	return strings.Join(texts, " ")
}

// A prefix selects exactly those moves whose squares begin with its own, however they are separated, and the squares
// that come next in them.
func TestPrefixSelects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPosition.Draw(t, "position")
		moves := p.AppendMoves(nil)
		if len(moves) == 0 {
			return
		}
		path := rapid.SampledFrom(moves).Draw(t, "move").AppendPath(nil)
		given := strings.Fields(names(path[:rapid.IntRange(1, len(path)).Draw(t, "squares")]))
		if rapid.Bool().Draw(t, "another square") {
			given[len(given)-1] = rapid.SampledFrom(p.Board().Squares()).Draw(t, "square").String()
		}
		text := strings.Join(given, rapid.SampledFrom([]string{"x", "-", ":", ""}).Draw(t, "separator")) +
			rapid.SampledFrom([]string{"", "x", "-", " "}).Draw(t, "end")

		var begin, next []string
		for _, m := range moves {
			full := strings.Fields(names(m.AppendPath(nil)))
			if len(given) > len(full) || !slices.Equal(given, full[:len(given)]) {
				continue
			}
			begin = append(begin, m.String())
			if len(given) < len(full) {
				next = append(next, full[len(given)])
			}
		}
		checkSelects(t, &p, text, begin, slices.Compact(sorted(next)))
	})
}

func TestPrefixes(t *testing.T) {
	const (
		pile   = "9/9/2a@1a@4/9/2a@1a@4/3A@5/9/9/9 w 5 11,8"
		shadow = "9/9/9/9/9/9/9/9/a@1A@6 w 13 11,0"
	)
	for _, c := range []struct{ name, position, prefix, begin, next string }{
		{"first square", pile, "d4", "d4xb6xd8xf6xd4 d4xf6xd8xb6xd4", "b6 f6"},
		{"path so far", pile, "D4xB6x", "d4xb6xd8xf6xd4", "d8"},
		{"path of a capture with a hyphen", pile, "d4-f6", "d4xf6xd8xb6xd4", "d8"},
		{"whole path", pile, "d4xb6xd8xf6xd4", "d4xb6xd8xf6xd4", ""},
		{"more than a path", pile, "d4xb6xd8xf6xd4xb6", "", ""},
		{"ends are no beginning", pile, "d4xd4", "", ""},
		{"another square", pile, "c5", "", ""},
		{"shadowpiece", shadow, "i9", "i9*11", ""},
		{"shadowpiece with its number", shadow, " I9*11 ", "i9*11", ""},
		{"shadowpiece with a wrong number", shadow, "i9*10", "", ""},
		{"step and more", "8a@/9/9/9/9/9/9/9/L@8 w 24 0,11", "a1", "a1-b2", "b2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := position(t, c.position)
			checkSelects(t, &p, c.prefix, strings.Fields(c.begin), strings.Fields(c.next))
		})
	}
}

func checkSelects(t failer, p *emergo.Position, prefix string, begin, next []string) {
	t.Helper()
	x, err := p.ParsePrefix(prefix)
	if err != nil {
		t.Fatalf("%s: ParsePrefix(%q): %v", p, prefix, err)
	}
	gotBegin, gotNext := x.Select(p.AppendMoves(nil))
	if !slices.Equal(canonical(gotBegin), begin) || names(gotNext) != strings.Join(next, " ") {
		t.Fatalf("%s: %q begins %v with %q next, want %v with %q", p, prefix, gotBegin, names(gotNext), begin, next)
	}
}

// "The zero Prefix names none, so every move begins with it."
func TestZeroPrefix(t *testing.T) {
	p := position(t, "9/9/2a@1a@4/9/2a@1a@4/3A@5/9/9/9 w 5 11,8")
	begin, next := new(emergo.Prefix).Select(p.AppendMoves(nil))
	if got := canonical(begin); !slices.Equal(got, legal(&p)) || names(next) != "d4" {
		t.Errorf("it begins %v with %q next, want %v with d4", got, names(next), legal(&p))
	}
}

func TestMalformedPrefix(t *testing.T) {
	p := emergo.StartPosition(emergo.Board7x7)
	for _, text := range []string{
		"", " ", "c", "a2", "xc3", "c3xx", "c3*", "c3*1", "j9", "c3 e5", strings.Repeat("a1x", 22), "\x00\x00", "h8", "e5xg7xi9",
	} {
		_, err := p.ParsePrefix(text)
		if err == nil {
			t.Errorf("ParsePrefix(%q) is accepted", text)
			continue
		}
		if got := refusalOf(t, err); got != (refusal{reason: emergo.MoveMalformed}) {
			t.Errorf("ParsePrefix(%q): %v, want %v", text, got, emergo.MoveMalformed)
		}
	}
}

// Every reason and every ending has a name of its own.
func TestWords(t *testing.T) {
	seen := map[string]bool{}
	fresh := func(word string) {
		t.Helper()
		if word == "" || seen[word] {
			t.Errorf("the word %q is empty or not the only one", word)
		}
		seen[word] = true
	}
	for r := emergo.MoveMalformed; r <= emergo.MoveAmbiguous; r++ {
		fresh(r.String())
	}
	for r := emergo.Ongoing; r <= emergo.Draw; r++ {
		fresh(r.String())
	}
	for e := emergo.NotEnded; e <= emergo.NoProgress; e++ {
		fresh(e.String())
	}
}
