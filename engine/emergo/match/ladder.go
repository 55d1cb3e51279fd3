package match

// DefaultLadder holds players from the weakest to the strongest.
var DefaultLadder = []string{
	"random", "greedy", "alphabeta:4", "uct:10000", "search:10ms", "search:100ms", "search:1000ms",
}

// An aim is the share of points that a player is meant to make against another.
type aim struct {
	player, opponent string
	score            float64
}

// aims are what the search is meant to reach. Ten times the time is to gain 150 Elo.
var aims = []aim{
	{"search:100ms", "random", 0.99},
	{"search:100ms", "greedy", 0.99},
	{"search:100ms", "uct:10000", 0.95},
	{"search:100ms", "search:10ms", scoreOf(150)},
	{"search:1000ms", "search:100ms", scoreOf(150)},
}

// A Contest is a match of a ladder.
type Contest struct {
	Players [2]Spec // the one that stands higher first
	// Aim is the share of points that the first player is meant to make, 0 if nothing is said of it.
	Aim float64
}

// Ladder returns the matches that show how far apart rungs are: each against the next lower one, and
// those between other rungs for which there is an aim.
func Ladder(rungs []Spec) (contests []Contest) {
	for i, upper := range rungs {
		for j, lower := range rungs[:i] {
			c := Contest{Players: [2]Spec{upper, lower}}
			for _, a := range aims {
				if a.player == upper.text && a.opponent == lower.text {
					c.Aim = a.score
				}
			}
			if j == i-1 || c.Aim > 0 {
				contests = append(contests, c)
			}
		}
	}
	return contests
}
