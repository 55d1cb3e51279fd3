// Command composefile loads a Compose file as Docker Compose does, against its schema, and checks that
// what it mounts is there, that images are pinned and that ports are published on loopback only.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

func main() {
	if err := check(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "composefile:", err)
		os.Exit(1)
	}
}

func check(files []string) error {
	options, err := cli.NewProjectOptions(files)
	if err != nil {
		return err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return err
	}
	var errs []error
	for name, service := range project.Services {
		if service.Build != nil {
			if _, err := os.Stat(service.Build.Context + "/" + service.Build.Dockerfile); err != nil {
				errs = append(errs, err)
			}
		} else if _, tag, _ := strings.Cut(service.Image, ":"); tag == "" || tag == "latest" {
			errs = append(errs, fmt.Errorf("%s: the image %s has no version", name, service.Image))
		}
		for _, volume := range service.Volumes {
			if volume.Type != types.VolumeTypeBind {
				continue
			}
			if _, err := os.Stat(volume.Source); err != nil {
				errs = append(errs, err)
			}
		}
		for _, port := range service.Ports {
			if port.HostIP != "127.0.0.1" {
				errs = append(errs, fmt.Errorf("%s: port %s is open to %q", name, port.Published, port.HostIP))
			}
		}
	}
	return errors.Join(errs...)
}
