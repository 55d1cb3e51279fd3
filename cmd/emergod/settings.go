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

	"github.com/luctor-et-emergo/emergod/service/emergorules"
	"github.com/luctor-et-emergo/emergod/service/server"
)

// settings are all settings.
type settings struct {
	Server server.Config      `embed:""`
	Rules  emergorules.Config `embed:""`
}

// defaults returns the settings of a server that only serves emergo.v1.RulesService.
func defaults() settings {
	s := settings{Server: server.DefaultConfig(), Rules: emergorules.DefaultConfig()}
	s.Server.MaxRequestBytes = emergorules.MaxRequestBytes
	return s
}

// byName returns each setting's value by its name, without secrets.
func (s settings) byName() map[string]string {
	all := s.Server.Masked().Settings()
	maps.Copy(all, server.Settings(s.Rules))
	return all
}

func (s *settings) validate() error {
	if err := s.Server.Validate(); err != nil {
		return err
	}
	return s.Rules.Validate()
}

// settingsFile resolves flags from a settings file, which is flat: the names of flags and their
// values.
type settingsFile map[string]yaml.Node

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
	switch {
	case !ok:
		return nil, nil
	case value.Kind != yaml.ScalarNode:
		return nil, fmt.Errorf("the settings file has something that is no single value")
	case value.Tag == "!!null":
		return nil, fmt.Errorf("the settings file has no value; leave it out for the default, or write \"\"")
	}
	return value.Value, nil // as it is written: 010 is ten
}

// mayBeEmpty are the settings that mean something when empty.
var mayBeEmpty = map[string]bool{"admin-listen": true, "otlp-endpoint": true}

// refuseBlank returns an error if a variable is set to nothing: most likely it was to be made of
// another one that is not set, and what it guards would be open.
func refuseBlank(lookup func(string) (string, bool)) error {
	for _, name := range slices.Sorted(maps.Keys(defaults().byName())) {
		variable := "EMERGOD_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
		if value, ok := lookup(variable); ok && value == "" && !mayBeEmpty[name] {
			return fmt.Errorf("$%s is set, but empty; unset it for the default", variable)
		}
	}
	return nil
}

type checkCommand struct{}

// Run is called by kong.
func (checkCommand) Run(c settings) error {
	if err := server.Check(c.Server); err != nil {
		return err
	}
	if err := emergorules.Check(c.Rules); err != nil {
		return err
	}
	settings := c.byName()
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
