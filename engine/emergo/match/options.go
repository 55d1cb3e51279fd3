package match

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// options are those of a spec: comma-separated name=value, and values without a name, which are held
// under "". Whoever reads one takes it out; what is left in the end is unknown.
type options struct {
	values map[string]string
	err    error // the first
}

func readOptions(text string) *options {
	o := &options{values: map[string]string{}}
	if text == "" {
		return o
	}
	for _, option := range strings.Split(text, ",") {
		name, value, named := strings.Cut(option, "=")
		if !named {
			name, value = "", option
		}
		if _, twice := o.values[name]; twice {
			o.fail(fmt.Errorf("%q is one option too many", option))
		}
		o.values[name] = value
	}
	return o
}

func (o *options) fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

// take returns the value of an option and whether it is there.
func (o *options) take(name string) (value string, ok bool) {
	value, ok = o.values[name]
	delete(o.values, name)
	return value, ok
}

// number returns the value of an option that is a whole number between bounds, or what it is if it is
// not given.
func (o *options) number(name string, otherwise, least, most int) int {
	value, ok := o.take(name)
	if !ok {
		return otherwise
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < least || n > most {
		o.fail(fmt.Errorf("%s must be a whole number from %d to %d", described(name, value), least, most))
	}
	return n
}

// duration returns the value of an option that is a time longer than zero, or 0 if it is not given.
func (o *options) duration(name string) time.Duration {
	value, ok := o.take(name)
	if !ok {
		return 0
	}
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 {
		o.fail(fmt.Errorf("%s must be a time longer than zero, as in 100ms", described(name, value)))
	}
	return d
}

func described(name, value string) string {
	if name == "" {
		return strconv.Quote(value)
	}
	return name + "=" + value
}

// finish returns the first error, which may be that an option is unknown.
func (o *options) finish() error {
	for name, value := range o.values {
		o.fail(errors.New("there is no option " + described(name, value)))
	}
	return o.err
}
