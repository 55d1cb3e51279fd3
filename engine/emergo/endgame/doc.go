// Package endgame knows the value of every ending of Emergo with few pieces, for all men are on the
// board by then, and how many pieces there are can only fall.
//
// Embedded returns tables of all positions of two and three pieces, on both boards, with all men on
// the board. Tables.Probe says of one of these whether it is won, lost or drawn under perfect play;
// Tables.ProbeDistance also in how many plies, if Open was given files that tell. Build computes
// tables, Write and WriteEmbedded make files of them, Verify checks one.
//
// README.md in this directory has the layout and the figures.
package endgame
