"""Which rules hold: those that ship, before them those of packages, before all a file's.

An entry point of group `simrun.rules` loads to the path of a file of rules, which is read and never
imported; a package whose file cannot be read is left out as any wrong plugin is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from compiler.levels.arrays.rewriting import RuleBase
from compiler.levels.arrays.rule_reader import read_rules
from compiler.levels.arrays.vectorize import default_rules
from machines.confinement import leads_out, outside
from machines.diagnostics import InputError, input_error
from machines.plugins import installed


def rules_of(options: Mapping[str, Any]) -> str:
    """The file of rules that options name with which a source is read, '' if they name none."""
    rules = options.get("rules", "")
    return rules if isinstance(rules, str) else ""


def rules_with(given: str = "") -> RuleBase:
    """The rules that hold with a file more; '' and 'none' name none.  Raises InputError."""
    base = default_rules()
    for _, path in rules_of_packages():
        base = read_rules(path, own=True).before(base)
    if given in ("", "none"):
        return base
    path = Path(given)
    if leads_out(path):
        raise input_error(outside(given))
    if not path.is_file():
        raise input_error(f"there is no file of rules {given}", hint="or --rules none")
    return read_rules(path).before(base)


def listed() -> Iterator[tuple[str, str]]:
    """The same for `simrun list plugins`: name, and where it is."""
    return ((name, str(path)) for name, path in rules_of_packages())


def rules_of_packages() -> Iterator[tuple[str, Path]]:
    """Files of rules that installed packages provide, by name."""
    for name, path, _ in installed("rules", _no_rules):
        yield name, Path(path)


def _no_rules(plugin: object) -> str | None:
    if not isinstance(plugin, str | Path):
        return f"it is of type {type(plugin).__name__}, not the path of a file of rules"
    if not Path(plugin).is_file():
        return f"there is no file {plugin}"
    try:
        read_rules(Path(plugin), own=True)
    except InputError as error:
        first = error.diagnostics[0]
        return f"{first.location}: {first.message}" if first.location else first.message
    return None


PLUGINS = {"rules": listed}
