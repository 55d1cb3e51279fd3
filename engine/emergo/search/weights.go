package search

// Weights are what the evaluation holds the features of a position to be worth, in hundredths of a
// man, by stage. They are fitted to games; see package fit.
type Weights struct {
	Stack      [13][13]Weight             // a piece, by cap and prisoners
	Place      [placeKinds][places]Weight // a piece, by its kind and its square
	Contact    [3][4]Weight               // a piece next to an enemy piece, by cap (3: or more) and prisoners (3: or more)
	Threatened [4][5]Weight               // a piece of the side to move that the other could jump, likewise
	Mobility   [2]Weight                  // each step that is open to a piece, by whether its cap has more than one man
	Safe       Weight                     // each step to where the opponent could not capture
	SafeSteps  [2][safeSteps]Weight       // how many such steps a side without men in hand has: the side to move, the other
	Chain      Weight                     // each pair of pieces next to each other
	ShutIn     Weight                     // a piece next to no vacant square
	Hand       [25]Weight                 // the side to move's men in hand less the other's, from -12
	Shadow     [13]Weight                 // the men in hand of a side whose opponent has none left
	Move       Weight                     // to be the one to move

	pieces [2][13][13][places]Weight // a piece's stack, its place and, in the second half, its contact
}

// safeSteps is one more than the number of safe steps from which on more make no difference.
const safeSteps = 13

// placeKinds is the number of kinds of piece that differ in where they stand well.
const placeKinds = 8

// placeKind returns the kind of a piece: by its cap, 4 or more being alike, and by whether it has
// prisoners.
func placeKind(cap, prisoners int) int { return 2*(min(cap, 4)-1) + min(prisoners, 1) }

// contact returns what a piece next to an enemy piece is worth because of that.
func (w *Weights) contact(cap, prisoners int) *Weight {
	return &w.Contact[min(cap, 3)-1][min(prisoners, 3)]
}

// threatened returns what a piece that can be jumped is worth because of that.
func (w *Weights) threatened(cap, prisoners int) *Weight {
	return &w.Threatened[min(cap, 4)-1][min(prisoners, 4)]
}

// combine adds up what is looked up for a piece, so that it is looked up once.
func (w *Weights) combine() *Weights {
	for cap := 1; cap <= 12; cap++ {
		for prisoners := range 13 {
			for place := range places {
				sum := w.Stack[cap][prisoners] + w.Place[placeKind(cap, prisoners)][place]
				w.pieces[0][cap][prisoners][place] = sum
				w.pieces[1][cap][prisoners][place] = sum + *w.contact(cap, prisoners)
			}
		}
	}
	return w
}
