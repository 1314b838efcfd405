"""Machines by name or file: YAML text → frozen, typed, checked `Machine`.

    machine = load_machine("itanium2", ["memory.l1d.size=32KiB"])
    machine.description.memory.l1d.size      # 32768
    load_machine({"extends": "itanium2", "name": "mine", "clock": "2 GHz"})
    for field in machine.fields(): …         # what `simrun machines show` prints

A file may begin with `extends: other.yaml` (a file beside it, or the name of a machine): mappings
are merged key by key, anything else replaces what the base says, `null` removes a key, and the tag
`!replace` before a mapping replaces it whole.  `extends: {value: other, source: "assumed: …"}`
gives all that is inherited another source.  An override `a.b.c=value` changes one value after
that.  All findings come together, before anything runs.

Results and baselines go by a machine's name, so a file that extends another has a name of its own,
and no file takes the name of a machine that comes with simrun or with a plugin.

A mapping from Python is a file that nobody wrote: it says the same, and is checked alike.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from machines.cache.results import cached
from machines.cache.software import DESCRIBING
from machines.confinement import leads_out, outside
from machines.description.evidence import COMMAND_LINE, attach, restate, uncited
from machines.description.python_values import node_of
from machines.description.schema import Description
from machines.description.shown_fields import ESTIMATE, ShownField, shown_fields, without_source
from machines.description.strict_yaml import MOST_BYTES, Node, read_yaml
from machines.description.validation import check, fields_of, finding_at
from machines.diagnostics import (
    NAME_RULE,
    Diagnostic,
    InputError,
    Location,
    diagnostic,
    input_error,
    is_name,
    nearest,
)
from machines.kinds import Kind, kinds
from machines.plugins import FAILED, installed
from machines.reading import read_text

FOLDER = Path(__file__).parents[1]
REPLACE = "!replace"
COMMAND_LINE_FILE = "--set"  # where an override stands, in messages
PARAMETER = "machine"  # where a mapping from Python stands


@dataclass(frozen=True, eq=False)
class Machine:
    """A described machine: the typed, frozen `description`, and the text it came from.

    file       that it was read from; None of a mapping from Python
    overrides  that were applied
    """

    description: Description
    tree: Node
    file: str | None
    overrides: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Machine {self.name}, of kind {self.kind}>"

    @property
    def name(self) -> str:
        return self.description.name

    @property
    def kind(self) -> str:
        return self.description.kind

    @property
    def family(self) -> str:
        """The family of rows that it executes: a field `instructions`, else those of the IR."""
        return getattr(self.description, "instructions", "ir")

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 of what the description says: equal machines have equal hashes."""
        content = json.dumps(self.description.model_dump(mode="json"))
        return hashlib.sha256(content.encode()).hexdigest()

    def fields(self) -> list[ShownField]:
        """Every field in declared order, with its value, sentence, source and location."""
        return list(shown_fields(self.description, self.tree))


def load_machine(
    given: str | Path | Mapping[str, Any] | Machine,
    overrides: Sequence[str] = (),
    is_kept: bool = True,
) -> Machine:
    """Read, merge, override and check a machine; raises InputError with every finding.

    given    its name, its file, or what such a file says, whose own files are those of the current
             folder; or a machine, to which overrides come behind those that it has
    is_kept  whether one that was kept from before will do (see `machines.cache.results`): not of
             one of very many
    """
    if isinstance(given, Machine):
        return _changed(given, overrides) if overrides else given
    if isinstance(given, Mapping):
        return _made(_with_bases(node_of(given, PARAMETER), None, ()), None, overrides)
    name = str(given)
    if not is_kept:
        return _load(name, overrides)
    key = [name, os.getcwd(), list(overrides)]
    return cached("machine", key, lambda: _load(name, overrides), DESCRIBING)


def text_of(machine: Machine) -> Mapping[str, Any]:
    """All that a machine says, as plain data: what it extends and its overrides are in it."""
    return machine.tree.plain()


def machine_from_its_text(text: Mapping[str, Any]) -> Machine | None:
    """The machine of `text_of`; None if it is none any more, since kinds have other fields."""
    evidence = {"source": "assumed: as it was written down with a result"}
    try:
        return load_machine({**text, **evidence})
    except InputError:
        return None


def _changed(machine: Machine, overrides: Sequence[str]) -> Machine:
    path = Path(machine.file) if machine.file is not None else None
    new = _made(replace(machine.tree), path, overrides)
    return replace(new, overrides=(*machine.overrides, *overrides))


def _load(name_or_path: str, overrides: Sequence[str]) -> Machine:
    path = _find(name_or_path)
    return _made(_read_with_bases(path, ()), path, overrides)


def _made(tree: Node, path: Path | None, overrides: Sequence[str]) -> Machine:
    """The machine of a merged tree, which is changed; `path` is its file, if it has one."""
    if not isinstance(tree.value, dict):
        raise InputError(tree.finding("expected a mapping ('key: value' lines)"))
    kind = _kind_of(tree)
    changes = [_apply_override(tree, model_of(kind), override) for override in overrides]
    machine = replace(_described(tree, kind, path), overrides=tuple(overrides))
    findings = [f for change in changes for f in _without_effect(machine, change)]
    if findings:
        raise InputError(findings)
    machine.content_hash  # noqa: B018  it is kept with the machine
    return machine


def _described(tree: Node, kind: Kind, path: Path | None) -> Machine:
    """The machine that a tree describes; raises InputError with every finding."""
    written = tree.value.get("kind")
    if written is not None and written.value != kind.name:
        message = f"this machine is of kind '{kind.name}', which no override can change"
        raise InputError(written.finding(message, "leave it out, or choose another by --machine"))
    model = model_of(kind)
    description, findings = check(model, tree)
    findings = [*findings, *_of_the_name(tree, path)]
    findings += [*without_source([model], tree), *uncited(tree)]
    if description is not None:
        for rule in kind.part("rules", tuple):
            findings += [finding_at(tree, *problem) for problem in rule(description)]
    if findings:
        raise InputError(findings)
    return Machine(description, tree, None if path is None else str(path))


def machine_names(kind: str | None = None) -> list[str]:
    """Names of the machines that come with simrun and with installed plugins, sorted; of one kind
    only, if it is given."""
    if kind is None:
        return sorted(_machine_files())
    return [name for name, machine in machines().items() if machine.kind == kind]


def machines() -> dict[str, Machine]:
    """The machines of `machine_names`, by name.

    One that cannot be read is left out, and `FAILED` has it: the others are none the worse.
    """
    found = {}
    for name, path in sorted(_machine_files().items()):
        try:
            found[name] = load_machine(name)
        except InputError as error:
            FAILED[str(path)] = error.diagnostics[0].message
    return found


def machines_of_family(family: str) -> list[str]:
    """Names of the machines that execute a family of rows."""
    return [name for name, machine in machines().items() if machine.family == family]


def _machine_files() -> dict[str, Path]:
    """Files by name; an entry point of group `simrun.machines` loads to a path."""
    files = {path.stem: path for path in FOLDER.glob("*.yaml")}
    owners = dict.fromkeys(files, "simrun")
    for name, path, owner in installed("machines", _no_file):
        if name in files:
            raise input_error(
                f"machine '{name}' is provided by both {owners[name]} and {owner}",
                hint="uninstall or rename one of them",
            )
        files[name], owners[name] = Path(path), owner
    return files


def _no_file(plugin: object) -> str | None:
    if not isinstance(plugin, str | Path):
        return f"it is of type {type(plugin).__name__}, not the path of a machine's file"
    return None if Path(plugin).is_file() else f"there is no file {plugin}"


def _find(name_or_path: str, beside: Path | None = None) -> Path:
    """The file of a machine; a path is relative to the file that names it."""
    if name_or_path.endswith((".yaml", ".yml")) or "/" in name_or_path:
        path = (beside.parent if beside else Path()) / name_or_path
        if leads_out(name_or_path, beside.parent) if beside else leads_out(path):
            raise input_error(outside(name_or_path))
        if path.is_file():
            return path
        raise input_error(f"there is no machine file {path}")
    files = _machine_files()
    if name_or_path not in files:
        raise input_error(
            f"there is no machine '{name_or_path}'", hint=nearest(name_or_path, files)
        )
    return files[name_or_path]


def _read_with_bases(path: Path, readers: tuple[Path, ...]) -> Node:
    """The tree of a file merged into those it extends."""
    shown, own = _shown(path), path in _machine_files().values()
    text = read_text(shown, MOST_BYTES, own=own)
    return _with_bases(_parsed(text, str(shown)), path, readers)


def _with_bases(written: Node, path: Path | None, readers: tuple[Path, ...]) -> Node:
    """What is written, in that file if in any, merged into what it extends."""
    findings: list[Diagnostic] = []
    tree = attach(written, None, findings)
    base = tree.value.pop("extends", None) if isinstance(tree.value, dict) else None
    if base is not None:
        inherited = _base_of(base, path, readers)
        if isinstance(written.value["extends"].value, dict) and base.evidence:
            inherited = restate(inherited, base.evidence)
        tree = _merge(inherited, tree, findings)
    if findings:
        raise InputError(findings)
    return tree


@lru_cache(32)
def _parsed(text: str, file: str) -> Node:
    """Of each text once, as commands that ask all machines do so several times.  Nobody changes
    these nodes: `attach` makes others."""
    return read_yaml(text, file, tags=(REPLACE,))


def _base_of(base: Node, path: Path | None, readers: tuple[Path, ...]) -> Node:
    chain = readers if path is None else (*readers, path.resolve())
    if not isinstance(base.value, str):
        raise InputError(base.finding("'extends' names a machine or a file"))
    try:
        found = _find(base.value, beside=path)
    except InputError as error:
        problem = error.diagnostics[0]
        raise InputError(base.finding(problem.message, problem.hint)) from None
    if found.resolve() in chain:
        cycle = " → ".join(p.name for p in (*chain, found.resolve()))
        raise InputError(base.finding(f"a machine cannot extend itself: {cycle}"))
    return _read_with_bases(found, chain)


def _shown(path: Path) -> Path:
    """The path as messages show it: relative where that is shorter."""
    try:
        return path.resolve().relative_to(Path.cwd())
    except ValueError:
        return path


def _merge(base: Node, change: Node, findings: list[Diagnostic]) -> Node:
    """`base` with what `change` says; neither argument is changed."""
    both = isinstance(base.value, dict) and isinstance(change.value, dict)
    if not both or change.tag == REPLACE:
        return change
    values, keys = dict(base.value), dict(base.keys)
    for key, new in change.value.items():
        if new.value is None:
            if values.pop(key, None) is None:
                findings.append(
                    change.finding(f"there is no '{key}' to remove", nearest(key, values), key)
                )
            keys.pop(key, None)
            continue
        if key in values and new.value == {} and new.tag != REPLACE:
            hint = f"null removes '{key}', !replace {{}} empties it"
            findings.append(change.finding(f"'{key}' says nothing new", hint, key))
            continue
        values[key] = _merge(values[key], new, findings) if key in values else new
        keys[key] = change.keys[key]
    return replace(change, value=values, keys=keys)


def _of_the_name(tree: Node, path: Path | None) -> Iterator[Diagnostic]:
    """Findings in the name of the machine that the file, or a mapping, describes."""
    name = tree.value.get("name")
    if name is None or not isinstance(name.value, str):
        return  # the kind's fields tell
    if not is_name(name.value):
        yield name.finding(f"{name.value!r} is no name", NAME_RULE)
    own = PARAMETER if path is None else str(_shown(path))
    if name.location.file not in (own, COMMAND_LINE_FILE):
        message = f"this machine has no name of its own: '{name.value}' is that of its base"
        yield tree.finding(message, "add a line 'name: …': results and baselines go by it")
        return
    owner = _machine_files().get(name.value)
    if owner is not None and (path is None or owner.resolve() != path.resolve()):
        message = f"'{name.value}' is the name of another machine, {_shown(owner)}"
        yield name.finding(message, "choose another: results and baselines go by it")


def _kind_of(tree: Node) -> Kind:
    known = kinds()
    named = tree.value.get("kind")
    if named is None:
        raise InputError(tree.finding("'kind' is missing", nearest("", known)))
    if not isinstance(named.value, str) or named.value not in known:
        hint = nearest(str(named.value), known)
        raise InputError(named.finding(f"there is no machine kind {named.plain()!r}", hint))
    return known[named.value]


def model_of(kind: Kind) -> type[Description]:
    """The model of the fields of a kind."""
    return kind.part("fields", no_model)


def no_model(part: object) -> str | None:
    """What is wrong with what should be the model of a kind's fields."""
    is_model = isinstance(part, type) and issubclass(part, Description)
    return None if is_model else f"{part!r} is no class under Description"


def _apply_override(tree: Node, model: type[Description], text: str) -> Node:
    """Change one value of the tree by `a.b.c=value`; the change as a tree of its own."""
    file = COMMAND_LINE_FILE
    path, equals, _ = text.partition("=")
    parts = path.strip().split(".")
    if not equals or not all(parts):
        raise input_error(
            f"'{text}' is not an override", Location(file, 1), source=text,
            hint="write it like memory.l1d.size=32KiB",
        )  # fmt: skip
    value = read_yaml(text, file, skip=len(path) + 1, tags=(REPLACE,))
    _check_says_something(value, path.strip(), text, len(path) + 1)
    findings: list[Diagnostic] = []
    value = attach(value, COMMAND_LINE, findings)
    column = 1
    change, keys = Node({}, Location(file, 1), text, evidence=COMMAND_LINE), []
    root, node, inner = change, tree, change
    for depth, part in enumerate(parts):
        here = Location(file, 1, column, len(part))
        last = depth == len(parts) - 1
        if not _may_hold(node, model, keys, part, last):
            raise InputError(_unknown(node, model, keys, part, here, text))
        inner.keys[part] = here
        inner.value[part] = value if last else Node({}, here, text, evidence=COMMAND_LINE)
        inner, keys = inner.value[part], [*keys, part]
        node = node.value.get(part) if node and isinstance(node.value, dict) else None
        column += len(part) + 1
    merged = _merge(tree, root, findings)
    if findings:
        raise InputError(findings)
    tree.value, tree.keys = merged.value, merged.keys
    return root


def _without_effect(machine: Machine, change: Node) -> Iterator[Diagnostic]:
    """Findings for what an override changes although nothing of this machine depends on it."""
    for field in machine.fields():
        if field.unread not in (None, ESTIMATE) and (depth := _reaches(change, field.keys)):
            message = f"nothing that '{machine.name}' does depends on '{field.path}'"
            yield finding_at(change, field.keys[:depth], message, field.unread)


def _reaches(change: Node, path: tuple[str, ...]) -> int:
    """How many keys of a path lead to a value of a change; 0 if it says nothing of the path, or
    all of a mapping around it anew."""
    for depth, key in enumerate(path):
        if not isinstance(change.value, dict):
            return depth
        if key not in change.value or change.tag == REPLACE:
            return 0
        change = change.value[key]
    return len(path)


def _check_says_something(value: Node, path: str, text: str, skip: int) -> None:
    """Raise InputError for a value that is not there, as of an empty variable of the shell."""
    location = Location(COMMAND_LINE_FILE, 1, skip + 1)
    if not text[skip:].partition("#")[0].strip():
        hint = f"null removes '{path}'; a variable of the shell may be empty"
        raise input_error(f"'{path}' is given no value", location, source=text, hint=hint)
    if value.value == {} and value.tag != REPLACE:
        hint = f"null removes '{path}', !replace {{}} empties it"
        raise input_error(f"'{path}={{}}' changes nothing", location, source=text, hint=hint)


def _may_hold(
    node: Node | None, model: type[Description], keys: list[str], part: str, last: bool
) -> bool:
    """A key that is there, a declared field, or a new last key of a mapping with free names."""
    if node is not None and isinstance(node.value, dict) and part in node.value:
        return True
    owners = fields_of(model, keys)
    if owners:
        return any(part in owner.model_fields for owner in owners)
    return last and (node is None or isinstance(node.value, dict))


def _unknown(
    node: Node | None, model: type[Description], keys: list[str], part: str,
    here: Location, text: str,
) -> Diagnostic:  # fmt: skip
    valid = {name for owner in fields_of(model, keys) for name in owner.model_fields}
    if node is not None and isinstance(node.value, dict):
        valid |= set(node.value)
    inside = f" in '{'.'.join(keys)}'" if keys else ""
    return diagnostic(f"there is no '{part}'{inside}", here, source=text, hint=nearest(part, valid))
