package prove

import "github.com/luctor-et-emergo/emergod/engine/emergo"

// ahead is how many plies a closed set looks ahead for wins of either side. It spares the set the
// positions of lines that end soon.
const ahead = 5

// A closedSet is a search for positions among which a side can stay for ever without losing.
//
// It begins with one position and grows until it is closed. Where the opponent is to move, all moves
// must lead into the set or to an end that is no loss; where the side itself is, one must, its choice. A
// position that turns out to be lost makes those lost from which the opponent can move there, and the
// side choose again in those where it had chosen to; so the set is closed in time linear in the
// positions and moves it has seen (Liu and Smolka, Simple Linear-Time Algorithms for Minimal Fixed
// Points, 1998).
type closedSet struct {
	side    emergo.Color
	own     *attack // by the side
	against *attack // by the opponent
	places  []place
	byKey   map[uint64]int32 // the last place with a key; the others follow by same
	fresh   []int32          // places still to be examined
	fallen  []int32          // places found lost, of which those that lead there do not know yet
	most    int
	full    bool
}

// A place is a position in a closed set.
type place struct {
	position emergo.Position
	from     []int32 // places that lead here
	same     int32   // another place with the same key, or -1
	choice   int32   // of the side to move, if it has chosen
	lost     bool
}

// holds says whether side can avoid losing for ever.
func (p *Prover) holds(g *emergo.Game, side emergo.Color, most int) Verdict {
	if g.Outcome().Over() {
		return verdict(over(side, g.Outcome()).Least != Loss)
	}
	c := &closedSet{
		side: side, own: p.attack(g, side), against: p.attack(g, side.Other()),
		byKey: make(map[uint64]int32), most: most,
	}
	// A limit of plies without progress can only help to hold out, and it is no matter of the position.
	c.own.rules.NoProgressLimit, c.against.rules.NoProgressLimit = 0, 0
	root := c.place(g.Position())
	for len(c.fresh)+len(c.fallen) > 0 && !c.places[root].lost {
		if p.stopped || c.full {
			return Unknown
		}
		if n := len(c.fallen); n > 0 {
			i := c.fallen[n-1]
			c.fallen = c.fallen[:n-1]
			c.spread(i)
			continue
		}
		i := c.fresh[len(c.fresh)-1]
		c.fresh = c.fresh[:len(c.fresh)-1]
		c.examine(i)
	}
	switch {
	case p.stopped || c.full:
		return Unknown
	case !c.places[root].lost:
		return Proven
	case g.Rules().NoProgressLimit > 0: // the win may come too late
		return Unknown
	}
	return Refuted
}

// place returns the place of a position, a fresh one if it is not yet in the set.
func (c *closedSet) place(p *emergo.Position) int32 {
	if i := c.find(p); i >= 0 {
		return i
	}
	if len(c.places) >= c.most {
		c.full = true
	}
	same, taken := c.byKey[p.Key()]
	if !taken {
		same = -1
	}
	i := int32(len(c.places))
	c.places = append(c.places, place{position: *p, same: same, choice: -1})
	c.byKey[p.Key()] = i
	c.fresh = append(c.fresh, i)
	return i
}

// find returns the place of a position, or -1.
func (c *closedSet) find(p *emergo.Position) int32 {
	i, ok := c.byKey[p.Key()]
	if !ok {
		return -1
	}
	for i >= 0 && !c.places[i].position.Repeats(p) {
		i = c.places[i].same
	}
	return i
}

// examine judges a fresh place: it is an end, or an end is in sight, or it depends on others.
func (c *closedSet) examine(i int32) {
	p := c.places[i].position
	o := p.Outcome(c.own.rules)
	switch {
	case o.Over():
		if over(c.side, o).Least == Loss {
			c.fall(i)
		}
	case c.own.isDrawn(&p) || c.own.soon(&p):
	case c.against.soon(&p):
		c.fall(i)
	case p.Turn() == c.side:
		c.choose(i)
	default:
		c.admit(i)
	}
}

// soon reports whether the attacker's win from p is in sight.
func (a *attack) soon(p *emergo.Position) bool {
	if p.Turn() == a.attacker {
		return a.wins(p, ahead, 0)
	}
	return a.loses(p, ahead-1, 0)
}

// choose makes the side to move at i, the one that holds out, choose a move: one that leads to a place
// in the set rather than to a new one, and then one that leaves the opponent few replies.
func (c *closedSet) choose(i int32) {
	p := c.places[i].position
	var best emergo.Position
	least := -1
	for _, m := range p.AppendMoves(nil) {
		next := p.Play(m)
		replies := 0
		if known := c.find(&next); known < 0 {
			replies = 1 + next.CountMoves()
		} else if c.places[known].lost {
			continue
		}
		if least < 0 || replies < least {
			best, least = next, replies
		}
	}
	if least < 0 {
		c.fall(i)
		return
	}
	j := c.place(&best)
	c.places[i].choice = j
	c.places[j].from = append(c.places[j].from, i)
}

// admit takes all places to which the opponent, who is to move at i, can go.
func (c *closedSet) admit(i int32) {
	p := c.places[i].position
	for _, m := range p.AppendMoves(nil) {
		next := p.Play(m)
		j := c.place(&next)
		if c.places[j].lost {
			c.fall(i)
			return
		}
		c.places[j].from = append(c.places[j].from, i)
	}
}

// fall marks a place as lost.
func (c *closedSet) fall(i int32) {
	if !c.places[i].lost {
		c.places[i].lost = true
		c.fallen = append(c.fallen, i)
	}
}

// spread tells the places from which play goes to i that it is lost.
func (c *closedSet) spread(i int32) {
	for _, from := range c.places[i].from {
		f := &c.places[from]
		switch {
		case f.lost:
		case f.position.Turn() != c.side:
			c.fall(from)
		case f.choice == i:
			c.choose(from)
		}
	}
	c.places[i].from = nil
}
