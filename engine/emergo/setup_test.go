package emergo_test

import (
	"errors"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"pgregory.net/rapid"
)

// setupOf takes a position apart.
func setupOf(p *emergo.Position) emergo.Setup {
	s := emergo.Setup{
		Board:  p.Board(),
		Turn:   p.Turn(),
		Ply:    p.Ply(),
		InHand: [2]int{p.InHand(emergo.White), p.InHand(emergo.Black)},
	}
	for square, piece := range p.Pieces {
		s.Pieces = append(s.Pieces, emergo.PlacedPiece{Square: square, Piece: piece})
	}
	return s
}

func TestSetupMakesThePositionThatWasTakenApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPosition.Draw(t, "position")
		s := setupOf(&p)
		again, err := s.Position()
		if err != nil || again != p {
			t.Fatalf("%s is %s when put together again (%v)", &p, &again, err)
		}
	})
}

// The invariants of a position, one broken at a time.
func TestSetupRefusesWhatNoPositionIs(t *testing.T) {
	whole := position(t, "7/7/7/3A@3/7/7/7 w 5 6,7")
	d4 := square(t, "d4")
	for _, test := range []struct {
		name    string
		spoil   func(*emergo.Setup)
		part    string
		problem string
	}{
		{"board", func(s *emergo.Setup) { s.Board = 2 }, "board", "there is no board 2; there are 9x9 (0) and 7x7 (1)"},
		{"turn", func(s *emergo.Setup) { s.Turn = 2 }, "side to move", "there is no color 2; White is 0, Black is 1"},
		{"negative ply", func(s *emergo.Setup) { s.Ply = -1 }, "ply", "it is -1; it must be from 0 to 2147483647"},
		{"ply too large", func(s *emergo.Setup) { s.Ply = emergo.MaxPly + 1 }, "ply", "it is 2147483648; it must be from 0 to 2147483647"},
		{"negative hand", func(s *emergo.Setup) { s.InHand[0] = -1 }, "men in hand", "White holds -1; it can hold from 0 to 8"},
		{"hand too large", func(s *emergo.Setup) { s.InHand[1] = 9 }, "men in hand", "Black holds 9; it can hold from 0 to 8"},
		{"square off this board", func(s *emergo.Setup) { s.Pieces[0].Square = square(t, "i9") }, "pieces", "square 55 is not on the 7x7 board"},
		{"no square", func(s *emergo.Setup) { s.Pieces[0].Square = 0 }, "pieces", "square 0 is not on the 7x7 board"},
		{"square number too large", func(s *emergo.Setup) { s.Pieces[0].Square = 64 + d4 }, "pieces", "square 89 is not on the 7x7 board"},
		{"two pieces on a square", func(s *emergo.Setup) { s.Pieces = append(s.Pieces, s.Pieces[0]) }, "d4", "two pieces stand on it; one can"},
		{"owner", func(s *emergo.Setup) { s.Pieces[0].Piece.Owner = 3 }, "d4", "there is no color 3; White is 0, Black is 1"},
		{"no cap", func(s *emergo.Setup) { s.Pieces[0].Piece.Cap = 0 }, "d4", "the cap has 0 men; it can have from 1 to 8"},
		{"cap too large", func(s *emergo.Setup) { s.Pieces[0].Piece.Cap = 17 }, "d4", "the cap has 17 men; it can have from 1 to 8"},
		{"negative prisoners", func(s *emergo.Setup) { s.Pieces[0].Piece.Prisoners = -1 }, "d4", "there are -1 prisoners; there can be from 0 to 8"},
		{"prisoners too many", func(s *emergo.Setup) { s.Pieces[0].Piece.Prisoners = 16 }, "d4", "there are 16 prisoners; there can be from 0 to 8"},
		{"too many white men", func(s *emergo.Setup) { s.Pieces[0].Piece.Cap = 3 }, "men", "White has 9 on the board, as prisoners and in hand together; the 7x7 board has 8 a side"},
		{"too many black men", func(s *emergo.Setup) { s.Pieces[0].Piece.Prisoners = 2 }, "men", "Black has 9 on the board, as prisoners and in hand together; the 7x7 board has 8 a side"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := setupOf(&whole)
			s.Pieces[0].Square = d4
			test.spoil(&s)
			_, err := s.Position()
			var refused *emergo.PositionError
			if !errors.As(err, &refused) {
				t.Fatalf("got %v", err)
			}
			if want := (emergo.PositionError{Impossible: true, Part: test.part, Problem: test.problem}); *refused != want {
				t.Errorf("got %+v, want %+v", *refused, want)
			}
		})
	}
}

func TestSetupDoesNotAllocate(t *testing.T) {
	p := position(t, "7/7/7/3A@3/7/7/7 w 5 6,7")
	s := setupOf(&p)
	if n := testing.AllocsPerRun(100, func() { _, _ = s.Position() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
