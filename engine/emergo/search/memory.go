package search

import "unsafe"

// SearcherBytes is how many bytes of memory a Searcher takes besides its transposition table: about half
// a mebibyte for the line that it follows, the moves along it and their scores.
const SearcherBytes = int(unsafe.Sizeof(Searcher{})) + scoresBytes

// scoresBytes is the room that the scores of as many moves take as a line has room for.
const scoresBytes = len(Searcher{}.moves) * len(Searcher{}.moves[0]) * int(unsafe.Sizeof(Searcher{}.scores[0][0]))
