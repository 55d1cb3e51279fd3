// Package match lets players of Emergo play matches against each other and says what the results
// prove: of strength, of a change to a player, of luck.
//
// A Spec names a player in a few words, such as "random", "uct:10000" or "search:100ms"; ParseSpec
// reads it. A Match plays pairs of games: each opening twice, with colours swapped, so that it favours
// nobody. A Tally counts their results and estimates the difference in Elo; an SPRT ends a match as
// soon as the results tell one hypothesis from the other. A Ladder is a row of matches.
//
// Matches can be repeated: if no player goes by the clock, the games depend on the players and the
// seed alone, neither on the machine nor on how many games are played at a time.
package match
