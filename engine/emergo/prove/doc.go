// Package prove proves what a position of Emergo is worth, by exhaustion. It knows no estimates, leaves
// no move out, and shares nothing with the heuristic search or the endgame tables, so that it can judge
// both. It is slow: it is for tactics with an end in sight and for endings, not for play.
//
// Two methods complete each other. Whether a side can force a win within a number of plies is read
// from the tree of all lines of that length, remembering positions. Whether a side can hold out for
// ever is shown by a closed set: positions that the side, by one move of its own against all of the
// opponent's, never leaves, none of which is lost.
//
// Both are sound in spite of the rule of repetition. A side that wins by force and hurries comes closer
// to the end with each move, so that it visits no position twice; only positions that had occurred
// twice before can hinder it, and those count as drawn. A side that holds out never fears a repetition.
package prove
