package search

import "github.com/luctor-et-emergo/emergod/engine/emergo"

// A Weight is what one occurrence of a trait is worth in each stage: three numbers in one, so that
// all are added up at once.
type Weight int64

// stageBits is the width of a stage's number. Sums of evaluations stay far within it.
const stageBits = 21

// MaxWeight is the largest weight, in either direction.
const MaxWeight = 3000

// Stages is the number of stages between which positions are: the entering stage, the movement stage
// with many pieces, and that with few.
const Stages = 3

func newWeight(in [Stages]int) (w Weight) {
	for i, v := range in {
		w += Weight(v) << (stageBits * i)
	}
	return w
}

// in returns the weight in each stage.
func (w Weight) in() (v [Stages]int) {
	for i := range v {
		v[i] = int(w << (64 - stageBits) >> (64 - stageBits))
		w = (w - Weight(v[i])) >> stageBits
	}
	return v
}

// StageShares returns the share of each stage in p, which add up to 1: how far evaluations of p are by the
// weights of that stage.
func StageShares(p *emergo.Position) (shares [Stages]float64) {
	parts := stageParts(p)
	for i, n := range parts {
		shares[i] = float64(n) / float64(parts[0]+parts[1]+parts[2])
	}
	return shares
}

// stageParts returns the shares of the stages in parts of which there are always as many on a board.
// The entering stage passes as hands empty, and many pieces become few from 20 to 4, or from 13 to 2 on
// the smaller board.
func stageParts(p *emergo.Position) (parts [Stages]int) {
	men := 2 * p.Board().Men()
	most, least := men*5/6, men/6
	inHand := p.InHand(emergo.White) + p.InHand(emergo.Black)
	few := most - max(min(pieces(p), most), least)
	parts[0] = inHand * (most - least)
	parts[1] = (men - inHand) * (most - least - few)
	parts[2] = (men - inHand) * few
	return parts
}
