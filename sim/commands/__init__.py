"""The commands of `simrun`, a file each, or a package's entry point in group `simrun.commands`.

A command is a click command, the attribute PLUGIN of its file.  It returns its exit code (none: 0),
and raises InputError for what the user did wrong.  Since `simrun --help` imports all of them, what
is heavy is imported inside of the function, not at the top of the file.
"""

from __future__ import annotations

import sys

import click

from machines.plugins import discover


def commands() -> dict[str, click.Command]:
    """All commands by name.  Raises InputError if two have one name."""
    return discover("commands", sys.modules[__name__], click.Command)
