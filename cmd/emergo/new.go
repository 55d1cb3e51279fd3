package main

import "fmt"

type newCmd struct {
	rulesetFlags `embed:""`
	JSON         bool `name:"json" help:"Print the server's response as JSON."`
}

// Run prints the start position.
func (n *newCmd) Run(s *session) error {
	c, err := s.client()
	if err != nil {
		return err
	}
	defer c.close()
	response, err := c.newGame(n.ruleset())
	switch {
	case err != nil:
		return err
	case n.JSON:
		return printJSON(s.out, response)
	}
	_, err = fmt.Fprintln(s.out, printable(response.GetState().GetPosition()))
	return err
}
