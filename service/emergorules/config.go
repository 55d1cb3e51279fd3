package emergorules

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/luctor-et-emergo/emergod/engine/emergo/endgame"
	"github.com/luctor-et-emergo/emergod/engine/emergo/search"
)

// Config says how much a Service may evaluate. Its tags make settings of its fields, as those of
// server.Config do.
type Config struct {
	// EvaluateSlots is how many evaluations are worked on at once. 0 means one fewer than there are
	// processors, which leaves one to the other calls; at least one, and no more than one for each
	// 2 MiB of EvaluateMemory.
	EvaluateSlots int `default:"${evaluate_slots}" placeholder:"N" help:"Evaluations worked on at once; 0 for one fewer than there are processors, at least one, at most one for each 2 MiB of --evaluate-memory." group:"Evaluation"`
	// EvaluateQueue is how many more may wait for a slot; others are refused.
	EvaluateQueue int `default:"${evaluate_queue}" placeholder:"N" help:"Evaluations that may wait for others; more are answered RESOURCE_EXHAUSTED." group:"Evaluation"`
	// EvaluateMemory bounds the memory of all evaluations together, in MiB: what the endgame tables
	// hold, search.SearcherBytes for each slot, and the slots' transposition tables, which share the
	// rest.
	EvaluateMemory int `default:"${evaluate_memory}" placeholder:"MIB" help:"Memory of the endgame tables and of all slots, with their tables, together, in MiB." group:"Evaluation"`
	// EvaluateMaxTime bounds how long a search takes, whatever is asked for.
	EvaluateMaxTime time.Duration `default:"${evaluate_max_time}" placeholder:"DURATION" help:"Longest that a search may take, whatever is asked for." group:"Evaluation"`
	// EvaluateMaxNodes bounds how many positions a search visits, whatever is asked for.
	EvaluateMaxNodes int `default:"${evaluate_max_nodes}" placeholder:"N" help:"Most positions that a search may visit, whatever is asked for." group:"Evaluation"`
	// Tables are files of endgame tables with distances, separated by commas; none if empty. While they
	// are open they may be replaced by renaming, but not written to: see endgame.Open.
	Tables string `placeholder:"FILE,..." help:"Endgame tables with distances, files separated by commas. To replace one, rename another to its name: to overwrite one that is open kills the server." group:"Evaluation"`
}

// DefaultConfig returns the settings of a service beside which little else runs.
func DefaultConfig() Config {
	return Config{
		EvaluateSlots:    0,
		EvaluateQueue:    100,             // what one connection sends at once; deadlines bound the wait
		EvaluateMemory:   64,              // a third of what the manifests grant the process
		EvaluateMaxTime:  5 * time.Second, // half of the longest that a call may take, so that some wait has room
		EvaluateMaxNodes: 100_000_000,     // more than fit into that time
	}
}

// Validate returns an error that names the setting that is wrong and says what would be right. Kong
// calls it.
func (c *Config) Validate() error {
	for _, n := range []struct {
		setting            string
		value, least, most int
	}{
		{"evaluate-slots", c.EvaluateSlots, 0, 1024},
		{"evaluate-queue", c.EvaluateQueue, 0, 100_000},
		{"evaluate-memory", c.EvaluateMemory, 1, 1 << 20},
		{"evaluate-max-nodes", c.EvaluateMaxNodes, 1, maxNodes},
	} {
		if n.value < n.least || n.value > n.most {
			return fmt.Errorf("--%s: %d is not from %d to %d", n.setting, n.value, n.least, n.most)
		}
	}
	if c.EvaluateMaxTime < time.Millisecond || c.EvaluateMaxTime > maxTime {
		return fmt.Errorf("--evaluate-max-time: %s is not from %s to %s", c.EvaluateMaxTime, time.Millisecond, maxTime)
	}
	return nil
}

// Slots returns how many evaluations are worked on at once.
func (c *Config) Slots() int {
	if c.EvaluateSlots > 0 {
		return c.EvaluateSlots
	}
	return c.slotsOf(runtime.GOMAXPROCS(0))
}

// slotsOf returns how many slots so many processors have, if nothing is said of it.
func (c *Config) slotsOf(processors int) int {
	const usualMiB = 2 // of a slot
	return max(1, min(processors-1, c.EvaluateMemory/usualMiB))
}

// leastTableBytes is what a slot needs for its transposition table to be of any use.
const leastTableBytes = 64 << 10

// tableBytes returns how large each slot's transposition table may be.
func (c *Config) tableBytes(tables *endgame.Tables) (int, error) {
	held, slots := tables.MemoryBytes(), c.Slots()
	share := (c.EvaluateMemory<<20-held)/slots - search.SearcherBytes
	if share < leastTableBytes {
		need := (held + slots*(search.SearcherBytes+leastTableBytes) + 1<<20 - 1) >> 20
		return 0, fmt.Errorf("--evaluate-memory: %d MiB is too little for the endgame tables and %d slots; the least is %d", c.EvaluateMemory, slots, need)
	}
	return share, nil
}

// Check returns what Open would return as an error, without the memory that Open takes.
func Check(c Config) error {
	tables, _, err := c.open()
	if err != nil {
		return &ConfigError{err}
	}
	return tables.Close()
}

// open opens the endgame tables and returns how large each slot's transposition table may be.
func (c *Config) open() (tables *endgame.Tables, tableBytes int, err error) {
	if err := c.Validate(); err != nil {
		return nil, 0, err
	}
	if tables, err = c.openTables(); err != nil {
		return nil, 0, err
	}
	if tableBytes, err = c.tableBytes(tables); err != nil {
		return nil, 0, errors.Join(err, tables.Close())
	}
	return tables, tableBytes, nil
}

// openTables opens the endgame tables.
func (c *Config) openTables() (*endgame.Tables, error) {
	if c.Tables == "" {
		return endgame.Embedded(), nil
	}
	tables, err := endgame.Open(strings.Split(c.Tables, ",")...)
	if err != nil {
		return nil, fmt.Errorf("--tables: %w", err)
	}
	return tables, nil
}

// A ConfigError is what is wrong with a Config, or with a file that it names.
type ConfigError struct{ error }

// Unwrap returns the error itself.
func (e *ConfigError) Unwrap() error { return e.error }
