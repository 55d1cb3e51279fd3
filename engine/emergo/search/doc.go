// Package search says what a position of Emergo is worth: exactly where the game can be read to its
// end or the endgame tables know it, by estimate elsewhere, and it says which of the two an answer is.
//
// A Searcher looks ahead by iterative deepening: depth after depth, each a principal-variation search
// (Marsland and Campbell, Parallel Search of Strongly Ordered Game Trees, 1982) with a transposition
// table. Captures are obligatory, so lines are followed until no capture is left, and only then
// weighed.
package search
