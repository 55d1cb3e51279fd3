package emergo_test

import (
	"errors"
	"fmt"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

// A position is read from a string, and everything else is asked of it.
func Example() {
	p, err := emergo.ParsePosition("9/9/2a@1a@4/9/4a@4/3D@5/9/5A@3/6b@2 b 0 0,0")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Turn(), "can capture:", p.CanCapture(p.Turn()))
	for _, m := range p.AppendMoves(nil) {
		after := p.Play(m)
		fmt.Println(m, "takes", m.Men(), "men:", &after)
	}
	// Output:
	// Black can capture: true
	// g1xe3xc5 takes 2 men: 9/9/2a@1a@4/9/2bb1a@4/3C@5/9/9/9 w 1 0,0
}

func ExampleParsePosition() {
	p, err := emergo.ParsePosition("7/7/7/3ba3/7/1C@5/7 w 20 2,0")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Board(), "board,", p.Turn(), "to move, ply", p.Ply())
	for s, piece := range p.Pieces {
		fmt.Printf("%s: %s, %d over %d\n", s, piece.Owner, piece.Cap, piece.Prisoners)
	}
	// Output:
	// 7x7 board, White to move, ply 20
	// b2: White, 3 over 0
	// d4: Black, 2 over 1
}

func ExampleParsePosition_impossible() {
	_, err := emergo.ParsePosition("7/7/7/7/7/7/A@6 w 0 8,8")
	var wrong *emergo.PositionError
	if errors.As(err, &wrong) {
		fmt.Println("impossible:", wrong.Impossible)
		fmt.Println(wrong)
	}
	// Output:
	// impossible: true
	// men: White has 9 on the board, as prisoners and in hand together; the 7x7 board has 8 a side
}

func ExamplePosition_AppendMoves() {
	p, _ := emergo.ParsePosition("9/9/2a@1a@4/9/2a@1a@4/3A@5/9/9/9 w 5 11,8")
	for _, m := range p.AppendMoves(nil) {
		fmt.Println(m)
	}
	// Output:
	// d4xb6xd8xf6xd4
	// d4xf6xd8xb6xd4
}

func ExamplePosition_ParseMove() {
	p, _ := emergo.ParsePosition("9/9/9/9/9/3a@5/9/1a@5a@1/A@5A@2 w 5 10,9")
	m, _ := p.ParseMove("A1:E5") // the first and the last square of the only capture
	fmt.Println(m)

	_, err := p.ParseMove("g1xi3")
	var refusal *emergo.Refusal
	if errors.As(err, &refusal) && refusal.Reason == emergo.CaptureNotMaximal {
		fmt.Println(refusal.Reason, "- it takes", refusal.Men, "of", refusal.Number, "as by", refusal.Moves[0])
	}
	// Output:
	// a1xc3xe5
	// capture not maximal - it takes 1 of 2 as by a1xc3xe5
}

func ExampleGame_PlayText() {
	g := emergo.NewGame(emergo.StartPosition(emergo.Board9x9), emergo.Rules{})
	for _, text := range []string{"a1", "e5", "f6", "E7", "f4"} {
		var refusal *emergo.Refusal
		if _, err := g.PlayText(text); errors.As(err, &refusal) {
			fmt.Println(text, "is refused:", refusal.Reason, "on", refusal.Square, "from", refusal.Other)
			continue
		}
		fmt.Println(text, "leads to", g.Position())
	}
	// Output:
	// a1 leads to 9/9/9/9/9/9/9/9/A@8 b 1 11,12
	// e5 leads to 9/9/9/9/4a@4/9/9/9/A@8 w 2 11,11
	// f6 is refused: entry feeds on f6 from e5
	// E7 leads to 9/9/4A@4/9/4a@4/9/9/9/A@8 b 3 10,11
	// f4 leads to 9/9/4A@4/9/4a@4/5a@3/9/9/A@8 w 4 10,10
}

// A game that comes back to the same position for the third time is drawn.
func ExampleGame_Outcome() {
	p, _ := emergo.ParsePosition("8a@/9/9/9/9/9/9/9/A@8 w 40 0,0")
	g := emergo.NewGame(p, emergo.Rules{})
	for !g.Outcome().Over() {
		for _, text := range []string{"a1-b2", "i9-h8", "b2-a1", "h8-i9"} {
			if _, err := g.PlayText(text); err != nil {
				fmt.Println(err)
			}
		}
	}
	fmt.Println(g.Outcome().Result, "by", g.Outcome().End, "after", len(g.Moves()), "moves")
	// Output:
	// draw by repetition after 8 moves
}

func ExamplePerft() {
	p := emergo.StartPosition(emergo.Board9x9)
	for depth := 1; depth <= 3; depth++ {
		fmt.Println(depth, emergo.Perft(&p, depth))
	}
	// Output:
	// 1 40
	// 2 1504
	// 3 55172
}
