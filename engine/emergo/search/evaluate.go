package search

import "github.com/luctor-et-emergo/emergod/engine/emergo"

// evaluate estimates what p is worth to the side to move, which has a move but no capture to make.
func (w *Weights) evaluate(p *emergo.Position) Score {
	c := p.Turn()
	own, other := w.side(p, c), w.side(p, c.Other())
	total := Weight{own.Entering - other.Entering, own.Movement - other.Movement}

	for rest := p.Jumpable(c); rest != 0; rest = rest.Rest() {
		total.add(w.Threatened)
		if st := p.StackAt(rest.First()); st.Cap() == 1 {
			total.addTimes(w.ThreatenedPrisoners, int32(st.Prisoners()))
		}
	}
	ownHand, otherHand := p.InHand(c), p.InHand(c.Other())
	total.add(w.Hand[(ownHand-otherHand+12)%25])
	if otherHand == 0 {
		total.add(w.Shadow[ownHand%13])
	}
	if ownHand == 0 {
		total.subtract(w.Shadow[otherHand%13])
	}
	total.add(w.Move)

	men := 2 * int32(p.Board().Men())
	inHand := int32(ownHand + otherHand)
	score := (total.Entering*inHand + total.Movement*(men-inHand)) / men
	return max(min(Score(score), Decided), -Decided)
}

// side adds up what the pieces of side c are worth.
func (w *Weights) side(p *emergo.Position, c emergo.Color) (total Weight) {
	own, enemy, vacant := p.Owned(c), p.Owned(c.Other()), p.Vacant()
	place := &placeOf[p.Board()]
	var kinds [2]emergo.Bitboard // single men and towers
	for rest := own; rest != 0; rest = rest.Rest() {
		s := rest.First()
		st := p.StackAt(s)
		kind := 0
		if st.Cap() > 1 {
			kind = 1
		}
		kinds[kind] |= rest &^ rest.Rest()
		total.add(w.Stack[st.Cap()%13][st.Prisoners()%13])
		total.add(w.Place[kind][place[s&63]])
	}
	touched := enemy.Adjacent()
	for kind, pieces := range kinds {
		total.addTimes(w.Mobility[kind], int32(pieces.StepsInto(vacant)))
		total.addTimes(w.Contact[kind], int32((pieces & touched).Count()))
	}
	total.addTimes(w.Safe, int32(own.StepsInto(vacant&^p.Feeding(c))))
	total.addTimes(w.Chain, int32(own.StepsInto(own)/2))
	total.addTimes(w.ShutIn, int32((own &^ vacant.Adjacent()).Count()))
	return total
}

func (w *Weight) add(x Weight)      { w.Entering += x.Entering; w.Movement += x.Movement }
func (w *Weight) subtract(x Weight) { w.Entering -= x.Entering; w.Movement -= x.Movement }

func (w *Weight) addTimes(x Weight, n int32) {
	w.Entering += n * x.Entering
	w.Movement += n * x.Movement
}
