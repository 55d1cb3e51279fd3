package endgame_test

import (
	"fmt"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
)

// A piece of eight men on each side: White, to move, wins.
func ExampleTables_ProbeDistance() {
	p, err := emergo.ParsePosition("7/7/7/1h@5/7/7/H@6 w 0 0,0")
	if err != nil {
		fmt.Println(err)
		return
	}
	tables := endgame.Embedded()
	value, plies, _ := tables.ProbeDistance(&p)
	fmt.Printf("a %v in %d plies\n", value, plies)
	for _, m := range p.AppendMoves(nil) {
		next := p.Play(m)
		value, plies, _ := tables.ProbeDistance(&next)
		fmt.Printf("after %v a %v for the other side, in %d\n", m, value, plies)
	}
	// Output:
	// a win in 51 plies
	// after a1-b2 a loss for the other side, in 50
}
