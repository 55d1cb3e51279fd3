// Package emergo knows the rules of Emergo (Christian Freeling and Ed van Zon, 1986), column checkers
// with an entering stage: what moves are legal, what they lead to, how a game ends, and why a move
// is refused. It depends on the standard library alone.
//
// A [Position] is a value: one side to move, pieces on squares, men in hand. It is valid from the
// moment it is made, by [StartPosition], [ParsePosition], [Setup.Position] or [Position.Play], so
// nothing checks it again. Its legal moves are listed by [Position.AppendMoves]:
//
//   - if a capture is possible, the captures that take the most men;
//   - otherwise, with men in hand, the entries: of one man, or of all that are left, the
//     shadowpiece, when the opponent has none in hand;
//   - otherwise the steps of a piece to a diagonally adjacent vacant square.
//
// A [Move] is a number that names a whole move. [Position.ParseMove] reads one in any accepted
// notation, and its error, a [*Refusal], names the first rule that the move breaks.
//
// A [Game] is a position with the history that the rules can ask for: repetition counts, and a
// capture can be undone by play. [Game.Outcome] says whether and how it has ended.
//
// [Perft] counts move sequences, to check the generator and to measure it.
package emergo
