package main

type tablesCmd struct {
	Build  tablesBuildCmd  `cmd:"" help:"Compute endgame tables and write them to a file."`
	Verify tablesVerifyCmd `cmd:"" help:"Check a file of endgame tables."`
}

var tablesPage = page{usage: "tables <command> [flags]", about: `
Endgame tables say what each position with few pieces is worth and, if they hold
distances, in how many plies it ends.
`}

var tablesBuildPage = page{usage: "tables build --output FILE [flags]", about: `
With two and three pieces, as here, it takes a minute on one processor:

    emergo tables build --output distances.tables

With four pieces there are tables of 7x7 alone. They take some minutes and 4 GB
of memory:

    emergo tables build --board 7x7 --pieces 4 --output four.tables

What a file replaces stays as it was until the new one is whole, so that a
server may go on using it.
`}

var tablesVerifyPage = page{usage: "tables verify FILE [flags]", about: `
The checksums of the file are verified, and positions at random, the same ones
each time, are compared with those that their moves lead to.
`}
