package endgame

import "github.com/luctor-et-emergo/emergod/engine/emergo"

// Figures are numbers about a table.
type Figures struct {
	Entries int // positions that the table holds, equivalent ones mostly held once
	// Positions that occur on the board, of one side to move: equivalent ones all counted.
	Positions, Wins, Draws, Losses int
	// The plies of the longest win and the first position that has it, White to move, if the table
	// holds distances and any position is won.
	LongestWin int
	Longest    emergo.Position
}

// Figures goes through the whole table.
func (t *Table) Figures() Figures {
	f := Figures{Entries: int(t.index.size)}
	longest := uint32(0)
	for _, r := range t.index.runs() {
		images := int(r.class.images)
		f.Positions += images * r.len()
		for i := r.first; i < r.first+uint32(r.len()); i++ {
			switch t.value(i) {
			case Win:
				f.Wins += images
				if !t.Distances() {
					continue
				}
				if plies := t.outcome(i).plies(); plies > f.LongestWin {
					f.LongestWin, longest = plies, i
				}
			case Draw:
				f.Draws += images
			case Loss:
				f.Losses += images
			}
		}
	}
	if f.LongestWin > 0 {
		f.Longest = t.index.at(longest)
	}
	return f
}
