package match

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/luctor-et-emergo/emergod/engine/emergo"
)

const (
	mostPlayouts = 100_000_000 // whose half points an int32 holds
	// mostNodes bounds a tree to 24 MiB. A full tree is played out from without growing.
	mostNodes = 1 << 20
	// longestPlayout is after how many plies a random game counts as a draw. Few last as long.
	longestPlayout = 400
	// exploration weighs what is unknown against what looks good: c of UCB1, for results from 0 to 1.
	exploration = 1.4
)

// A uct plays the move that a tree of random games visits most (Kocsis and Szepesvári, Bandit Based
// Monte-Carlo Planning, 2006): plain UCT, without anything that came later, and a new tree each move.
type uct struct {
	playouts int
	nodes    uint64 // positions visited for the move, in the tree and in random games
	rules    emergo.Rules
	chance   *rand.Rand
	tree     []treeNode
	path     []int32
	moves    []emergo.Move
}

// A treeNode is a position in the tree, known by the move that leads to it.
type treeNode struct {
	move     emergo.Move
	points   int32 // half points of the side that made the move, at most 2 a visit
	visits   int32
	children int32 // where they begin, 0 if there are none
	count    int32 // of children
}

func parseUCT(text string) (Spec, error) {
	o := readOptions(text)
	playouts := o.number("", 10_000, 1, mostPlayouts)
	return Spec{make: func() (Player, error) { return &uct{playouts: playouts}, nil }}, o.finish()
}

func (u *uct) Begin(_ context.Context, g *emergo.Game, seed uint64) error {
	u.rules, u.chance = g.Rules(), newChance(seed)
	return nil
}

func (u *uct) Choose(ctx context.Context, g *emergo.Game) (Choice, error) {
	root := *g.Position()
	u.nodes = 1
	u.tree = append(u.tree[:0], treeNode{})
	u.expand(0, &root)
	for n := range u.playouts {
		u.visit(root)
		if n%256 == 0 && ctx.Err() != nil {
			return Choice{}, ctx.Err()
		}
	}
	first := u.tree[0].children
	best := first
	for i := first; i < first+u.tree[0].count; i++ {
		if u.tree[i].visits > u.tree[best].visits {
			best = i
		}
	}
	return Choice{Move: u.tree[best].move, Nodes: u.nodes}, nil
}

// expand adds the children of a node, whose position is p.
func (u *uct) expand(node int32, p *emergo.Position) {
	u.moves = p.AppendMoves(u.moves[:0])
	// Each node tries its children in an order of its own.
	u.chance.Shuffle(len(u.moves), func(i, j int) { u.moves[i], u.moves[j] = u.moves[j], u.moves[i] })
	u.tree[node].children = int32(len(u.tree))
	u.tree[node].count = int32(len(u.moves))
	for _, m := range u.moves {
		u.tree = append(u.tree, treeNode{move: m})
	}
}

// visit goes down the tree, plays a random game from where it leaves it, and tells the nodes on the
// way how that ended.
func (u *uct) visit(p emergo.Position) {
	node := int32(0)
	u.path = append(u.path[:0], node)
	for {
		n := &u.tree[node]
		if n.count == 0 {
			// A leaf grows when it is come to again.
			if n.visits == 0 || len(u.tree)+64 > mostNodes || p.Outcome(u.rules).Over() {
				break
			}
			u.expand(node, &p)
		}
		node = u.choose(&u.tree[node])
		u.path = append(u.path, node)
		p = p.Play(u.tree[node].move)
		u.nodes++
	}
	points := u.playOut(p, p.Turn().Other())
	for i := len(u.path) - 1; i >= 0; i-- {
		n := &u.tree[u.path[i]]
		n.visits++
		n.points += points
		points = 2 - points
	}
}

// choose returns the child with the highest upper confidence bound (UCB1).
func (u *uct) choose(n *treeNode) (best int32) {
	logVisits := math.Log(float64(n.visits + 1))
	highest := math.Inf(-1)
	for i := n.children; i < n.children+n.count; i++ {
		child := &u.tree[i]
		if child.visits == 0 {
			return i
		}
		visits := float64(child.visits)
		if bound := float64(child.points)/(2*visits) + exploration*math.Sqrt(logVisits/visits); bound > highest {
			best, highest = i, bound
		}
	}
	return best
}

// playOut plays a random game from p and returns the half points that side c makes.
func (u *uct) playOut(p emergo.Position, c emergo.Color) int32 {
	for range longestPlayout {
		u.moves = p.AppendMoves(u.moves[:0])
		if len(u.moves) == 0 {
			break
		}
		p = p.Play(u.moves[u.chance.Uint64N(uint64(len(u.moves)))])
		u.nodes++
	}
	return int32(halfPoints(p.Outcome(u.rules).Result, c))
}

func (*uct) Close() error { return nil }
