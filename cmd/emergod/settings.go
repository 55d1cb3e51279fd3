package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"

	"github.com/luctor-et-emergo/emergod/service/server"
)

// settingsFile resolves flags from a settings file, which is flat: the names of flags and their
// values.
type settingsFile map[string]any

func loadSettings(r io.Reader) (kong.Resolver, error) {
	settings, documents := settingsFile{}, yaml.NewDecoder(r)
	if err := documents.Decode(&settings); err != nil && err != io.EOF {
		lines := strings.Fields(err.Error()) // of which an error at start has one
		return nil, fmt.Errorf("the settings file cannot be read: %s", strings.Join(lines, " "))
	}
	if documents.Decode(new(any)) != io.EOF {
		return nil, fmt.Errorf("the settings file has more than one document")
	}
	return settings, nil
}

// Validate implements kong.Resolver: a setting that does not exist is most likely misspelt.
func (f settingsFile) Validate(app *kong.Application) error {
	known := map[string]bool{}
	for _, flag := range app.Flags {
		known[flag.Name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if !known[name] || name == "config" || name == "help" || name == "version" {
			return fmt.Errorf("the settings file has %q, which is no setting; emergod --help lists them", name)
		}
	}
	return nil
}

// Resolve implements kong.Resolver. Kong would let a file override the environment, which is the
// more particular of the two.
func (f settingsFile) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, env := range flag.Envs {
		if _, ok := os.LookupEnv(env); ok {
			return nil, nil
		}
	}
	value, ok := f[flag.Name]
	if !ok || value == nil {
		return nil, nil
	}
	switch value.(type) {
	case string, bool, int, float64:
		return fmt.Sprint(value), nil
	}
	return nil, fmt.Errorf("the settings file has something that is no single value")
}

type checkCommand struct{}

// Run is called by kong.
func (checkCommand) Run(c server.Config) error {
	if err := server.Check(c); err != nil {
		return err
	}
	settings := c.Masked().Settings()
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		fmt.Printf("%s: %s\n", name, quoted(settings[name]))
	}
	return nil
}

// quoted writes a value as YAML.
func quoted(value string) string {
	var plain any
	if yaml.Unmarshal([]byte(value), &plain) == nil {
		switch plain.(type) {
		case bool, int, float64:
			if fmt.Sprint(plain) == value { // else it is a text that looks like a number: 007
				return value
			}
		}
	}
	text, err := yaml.Marshal(value)
	if err != nil {
		return value
	}
	return strings.TrimSuffix(string(text), "\n")
}
