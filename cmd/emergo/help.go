package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

const description = `Emergo at the command line. A rules server, emergod, adjudicates: start one
with "go run ./cmd/emergod" and leave it running.`

// A page is what the help of a command says besides its flags: a few paragraphs before them, and what follows.
type page struct{ usage, about, more string }

// pages holds the help of each command by its name, and the program's by "".
var pages = map[string]page{
	"": {usage: "<command> [flags]", more: `
Positions and moves:
  A position is four fields, rows, side to move, ply and men in hand:
      9/9/9/9/9/9/9/9/9 w 0 12,12
  They may be quoted or not. "start", or no position at all, is the start
  position. Moves follow it: c3 enters a man (c3*5 five men as one piece),
  c3-d4 steps, d4xb6xd8 captures. "-" instead reads games from standard input,
  one a line, a position and moves alike, and answers each with one line.

Examples:
  emergo play --board 7x7             play a game on the small board
  emergo show start c3 e3 g3          look at the board after three moves
  emergo moves 9/9/9/9/9/9/9/9/9 w 0 12,12 c3
  emergo apply - <games.txt           where do all these games lead?

Exit status:
  0  all went well
  1  a position, a move or a file was refused, or something could not be done,
     as when no server answers
  2  the command line is wrong
`},
	"new": {usage: "new [flags]", more: `
Examples:
  emergo new                          9/9/9/9/9/9/9/9/9 w 0 12,12
  emergo new --board 7x7              7/7/7/7/7/7/7 w 0 8,8
`},
	"moves": {usage: "moves [POSITION] [MOVE...] [flags]", about: `
The moves are printed one a line, or all on one line for a game from standard
input. A finished game has none; standard error says so.
`, more: `
Examples:
  emergo moves --board 7x7            all first moves on the small board
  emergo moves start c3 e3            those after two moves
  emergo moves "9/9/2a@1a@4/9/2bb1a@4/3C@5/9/9/9 w 1 0,0" --prefix d4xb6
  echo c3 e3 | emergo moves -
` + standardInput},
	"apply": {usage: "apply [POSITION] MOVE... [flags]", about: `
A position alone does not tell what occurred before it, so repetitions cannot be
seen from it. The game in the response, which --json prints, has all that is
needed.
`, more: `
Examples:
  emergo apply start c3 e3
  emergo apply "9/9/2a@1a@4/9/4a@4/3D@5/9/5A@3/6b@2 b 0 0,0" g1xe3xc5
  emergo apply - <games.txt
` + standardInput},
	"eval": {usage: "eval [POSITION] [MOVE...] [flags]", about: `
The best moves are printed with what they are worth to the side to move and what
is expected after them. An estimate is in men: +1.00 is as good as one more free
man. What is exact is a fact: "win in 7" is won within seven plies, "win" sometime,
"loss in 0" is a game that is over. Without limits some tens of milliseconds are spent.

Men in caps are free; men held prisoner are below the opponent's caps. The
legal moves of a side are those it would have if it were to move.

For a game from standard input the line holds the five numbers of White, the
five of Black, the value ("+0.35", "win-7"), the best move, and the outcome.
`, more: `
Examples:
  emergo eval start c3 e3
  emergo eval --lines 3 --time 2s start c3 e3
  emergo eval - <games.txt
` + standardInput},
	"analyze": {usage: "analyze [POSITION] [MOVE...] [flags]", about: `
Each line begins with its depth in plies; eval explains the rest. On a terminal
the newest takes the place of the one before. It goes on until a limit is reached,
the server's own at the latest, or nothing is left to find, or you stop it.
`, more: `
Examples:
  emergo analyze start c3 e3 --depth 5
  emergo analyze --time 100ms --lines 3
`},
	"show": {usage: "show [POSITION] [MOVE...] [flags]", about: `
O is White and X is Black. O is a single man, O3 a piece of three men, O3/2 a
cap of three men over two prisoners. Dots are vacant squares, brackets mark the
piece moved last. Colours are used on a terminal unless NO_COLOR is set. With
--json the state of the game is printed. Games from standard input ("-"), one a
line, are drawn one below the other.
`, more: `
Examples:
  emergo show start c3 e3 g3
  emergo show "9/9/2a@1a@4/9/2bb1a@4/3C@5/9/9/9 w 1 0,0" d4xb6xd8xf6xd4xb6
  emergo show - <games.txt
`},
	"play": {usage: "play [POSITION] [MOVE...] [flags]", about: `
The players type moves and commands in turn; "help" lists them. A refused move is
explained and does no harm. On leaving, by Ctrl-C too, the command that goes on
with the game is printed. Moves can also come from a file, one a line.

With --engine the server plays one of the sides, thinking for as long as --time
says.
`, more: `
Examples:
  emergo play
  emergo play --engine black --time 500ms
  emergo play --board 7x7 --no-progress-limit 40
  emergo play <moves.txt
`},
	"perft": {usage: "perft [POSITION] [MOVE...] DEPTH [flags]", about: `
The engine in this program counts; no server is asked. Each capture path is one
move. The total is that of the lines above it.
`, more: `
Examples:
  emergo perft 5                      each number of plies up to five
  emergo perft --board 7x7 --divide 5
  emergo perft 9/9/9/9/9/9/9/9/9 w 0 12,12 c3 4
`},
	"prove":  provePage,
	"match":  matchPage,
	"ladder": ladderPage,
	"engine": enginePage,
	"fit":    fitPage,

	"tables":        tablesPage,
	"tables build":  tablesBuildPage,
	"tables verify": tablesVerifyPage,
}

const standardInput = `
Standard input ("-" as the position):
  Each line is a game: a position or nothing, then moves. It is answered with
  a line. An empty line is answered with an empty one; so is a game that is
  refused, and standard error says why. The exit status is then 1.
`

// printHelp prints the help of the selected command.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	_, name, _ := strings.Cut(commandName(ctx), " ")
	p := pages[name]
	if _, err := fmt.Fprintf(ctx.Stdout, "Usage: emergo %s\n", p.usage); err != nil {
		return err
	}
	if err := kong.DefaultHelpPrinter(options, ctx); err != nil {
		return err
	}
	_, err := io.WriteString(ctx.Stdout, strings.TrimRight(p.more, "\n")+"\n")
	return err
}
