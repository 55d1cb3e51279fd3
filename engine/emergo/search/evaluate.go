package search

import "github.com/luctor-et-emergo/emergod/engine/emergo"

// evaluate estimates what p is worth to the side to move, which has a move. With captures to
// make that is a rough guess.
func (w *Weights) evaluate(p *emergo.Position) Score {
	c := p.Turn()
	total := w.side(p, c, 0) - w.side(p, c.Other(), 1) + w.Move
	for rest := p.Jumpable(c); rest != 0; rest = rest.Rest() {
		st := p.StackAt(rest.First())
		total += *w.threatened(st.Cap(), st.Prisoners())
	}
	own, other := p.InHand(c), p.InHand(c.Other())
	total += w.Hand[(own-other+12)%25]
	if other == 0 {
		total += w.Shadow[own%13]
	}
	if own == 0 {
		total -= w.Shadow[other%13]
	}

	var sum, parts int32
	in := total.in()
	for i, n := range stageParts(p) {
		sum += int32(in[i] * n)
		parts += int32(n)
	}
	return max(min(Score(sum/parts), Decided), -Decided)
}

// side adds up what the pieces of side c are worth, which is to move (0) or not (1).
func (w *Weights) side(p *emergo.Position, c emergo.Color, waits int) (total Weight) {
	own, enemy, vacant := p.Owned(c), p.Owned(c.Other()), p.Vacant()
	place := &placeOf[p.Board()]
	touched := own & enemy.Adjacent()
	var towers emergo.Bitboard
	for rest := own; rest != 0; rest = rest.Rest() {
		s := rest.First()
		st := p.StackAt(s)
		if st.Cap() > 1 {
			towers |= rest &^ rest.Rest()
		}
		total += w.pieces[touched>>(s&63)&1][st.Cap()%13][st.Prisoners()%13][place[s&63]]
	}
	safe := own.StepsInto(vacant &^ p.Feeding(c))
	if p.InHand(c) == 0 {
		total += w.SafeSteps[waits][min(safe, safeSteps-1)]
	}
	total += w.Safe * Weight(safe)
	total += w.Mobility[0] * Weight((own &^ towers).StepsInto(vacant))
	total += w.Mobility[1] * Weight(towers.StepsInto(vacant))
	total += w.Chain * Weight(own.StepsInto(own)/2)
	total += w.ShutIn * Weight((own &^ vacant.Adjacent()).Count())
	return total
}
