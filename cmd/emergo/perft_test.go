package main

import (
	"strings"
	"testing"
)

func TestPerft(t *testing.T) {
	// The numbers are those of engine/emergo/testdata/perft.jsonl.
	tests := []struct {
		args, counts string
		total        string
	}{
		{"perft 3", "1 40\n2 1504\n3 55172\n", "total 56716 nodes"},
		{"perft --played 3", "1 40\n2 1504\n3 55172\n", "total 56716 nodes"},
		{"perft --board=7x7 4", "1 24\n2 528\n3 11140\n4 201272\n", "total 212964 nodes"},
		{"perft A@3a@1A@/7/A@5a@/3A@3/6a@/3a@3/A@3a@1A@ b 11 2,3 4", "1 5\n2 42\n3 226\n4 1314\n", "total 1587 nodes"},
		{"perft 9/9/2a@1a@4/9/4a@4/3D@5/9/5A@3/6b@2 b 0 0,0 g1xe3xc5 2", "1 1\n2 0\n", "total 1 nodes"},
		{"perft --divide A@3a@1A@/7/A@5a@/3A@3/6a@/3a@3/A@3a@1A@ b 11 2,3 2", "a3 7\nc1 8\nc7 9\nd6 8\nf4 10\n", "total 42 nodes"},
	}
	dead := deadAddr(t)
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			got := emergoAt(dead, "", strings.Fields(test.args)...)
			if got.status != exitOK || got.err != "" || !strings.HasPrefix(got.out, test.counts+test.total+", ") || !strings.HasSuffix(got.out, " M nodes/s\n") {
				t.Errorf("got %+v, want %s%s", got, test.counts, test.total)
			}
		})
	}
}

func TestPerftRefusals(t *testing.T) {
	tests := []struct{ args, says string }{
		{"perft 9/9/9 w 0 0,0 2", "The position is refused: "},
		{"perft --board=9x9 7/7/7/7/7/7/7 w 0 8,8 2", "The position is on 7x7, not on the board that --board names."},
		{"perft c3 c3 2", "Move 2 (c3) is refused: square occupied: c3."},
	}
	for _, test := range tests {
		got := emergoAt(deadAddr(t), "", strings.Fields(test.args)...)
		if got.status != exitFailed || got.out != "" || !strings.HasPrefix(got.err, "emergo: "+test.says) {
			t.Errorf("%s: got %+v, want %s", test.args, got, test.says)
		}
	}
}
