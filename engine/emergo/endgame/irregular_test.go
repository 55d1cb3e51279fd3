package endgame_test

import (
	"os"
	"strings"
	"testing"

	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
)

func TestWhatIsNoRegularFileIsRefusedUnopened(t *testing.T) {
	for _, path := range []string{t.TempDir(), os.DevNull, "/dev/zero"} {
		if _, err := os.Stat(path); err != nil {
			t.Logf("not here: %v", err)
			continue
		}
		tables, err := endgame.Open(path)
		if err == nil {
			tables.Close()
		}
		if err == nil || !strings.HasSuffix(err.Error(), "it is not a regular file") {
			t.Errorf("%s: error %v", path, err)
		}
	}
}
