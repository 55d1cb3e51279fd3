package endgame

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The README has the figures of the tables that every program has.
func TestFiguresOfTheReadme(t *testing.T) {
	content, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(content)
	has := func(line string) {
		if !strings.Contains(readme, line) {
			t.Errorf("it lacks: %s", line)
		}
	}
	tables := withDistances(t)
	for _, table := range tables.all() {
		if long := tables.boards[table.Board()].distances[table.Pieces()]; long != nil {
			table = long
		}
		f := table.Figures()
		line := fmt.Sprintf("| %v | %d | %d | %d | %d | %d | %d | ", table.Board(), table.Pieces(), f.Positions, f.Entries, f.Wins, f.Draws, f.Losses)
		if table.Distances() {
			has(fmt.Sprintf("| %v | %d | `%v` |", table.Board(), table.Pieces(), &f.Longest))
			line += fmt.Sprint(f.LongestWin, " |")
		}
		has(thousands(line))
	}
	has(thousands(fmt.Sprintf("| %d |", len(embeddedFile))))
	has(thousands(fmt.Sprintf("| %d |", Embedded().MemoryBytes())))
}

// thousands puts commas into numbers.
func thousands(s string) string {
	digits := regexp.MustCompile(`(\d)(\d{3}\b)`)
	for digits.MatchString(s) {
		s = digits.ReplaceAllString(s, "$1,$2")
	}
	return s
}
