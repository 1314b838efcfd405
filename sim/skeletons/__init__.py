"""What `simrun new` makes: a folder here for each, of files that work as they are.

In their names and texts `the_name` stands for the name that is asked for, `TheName` for the same as
a class is called, `the_base` for the machine that they begin from.  Packages of them come in by the
doors that every package uses (`machines.plugins`); they are none of simrun's own code.
"""

from __future__ import annotations

import importlib.util
import json
import keyword
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from machines.description.json_schema import json_schema
from machines.description.load import load_machine
from machines.diagnostics import NAME_RULE, input_error, is_name, nearest

FOLDER = Path(__file__).parent
NAME, CLASS, BASE = "the_name", "TheName", "the_base"
CACHES = (".", "__pycache__")
"""What folders that tools leave begin with."""


@dataclass(frozen=True)
class Skeleton:
    """One of them.

    what      also its folder
    sentence  what is made
    base      the machine that it begins from, where it does
    then      what to do next, as commands
    """

    what: str
    sentence: str
    base: str = ""
    then: tuple[str, ...] = ()

    @property
    def is_package(self) -> bool:
        """Whether it has to be installed."""
        return (FOLDER / self.what / "pyproject.toml").exists()


SKELETONS = {
    one.what: one
    for one in (
        Skeleton(
            "machine", "a machine by `extends`, with its schema for editors", "itanium2",
            ("simrun machines diff the_base the_name/the_name.yaml",),
        ),
        Skeleton("kind", "a package with a kind of machine: fields, target, core, vocabulary", "",
                 ("simrun the_name/workload.yaml",)),
        Skeleton("level", "a package with a level of code above the IR", "",
                 ("simrun the_name/workload.yaml",)),
        Skeleton("pass", "a package with a compiler pass that has an option", "",
                 ("simrun the_name/workload.yaml",)),
        Skeleton("frontend", "a package with a front end for a language of formulas", "",
                 ("simrun the_name/workload.yaml",)),
        Skeleton("workload", "a kernel with inputs and what must come out", "itanium2",
                 ("simrun the_name",
                  'simrun check the_name --update --reason "a first baseline"')),
        Skeleton("study", "a study of a small kernel on three points", "",
                 ("simrun study the_name/the_name.yaml",)),
        Skeleton("report", "a package with a report that writes a table", "",
                 ("simrun the_name/workload.yaml --report the_name",)),
    )
}  # fmt: skip


def make(what: str, name: str, into: Path, base: str | None = None) -> Iterator[str]:
    """Make a skeleton in a folder of that name below `into`; gives what to do next, as commands.

    Raises InputError, before a file is written, if there is no such skeleton, if nothing can be
    called so, if the folder is there already, or if there is no such machine to begin from.
    """
    skeleton = _skeleton(what)
    _check_name(skeleton, name)
    if base is not None and not skeleton.base:
        raise input_error(f"a {what} begins from no machine", hint="leave --machine out")
    chosen = base or skeleton.base
    kind = load_machine(chosen).kind if chosen else ""
    folder = into / name
    if folder.exists():
        raise input_error(f"'{folder}' is there already", hint="choose another name, or --into")
    names = {NAME: name, CLASS: _class_name(name), BASE: chosen}
    for path, text in _texts(skeleton, names):
        _write(folder / path, text)
    if what == "machine":
        _write(folder / f"{name}.schema.json", json.dumps(json_schema(kind), indent=1) + "\n")
    install = (f"pip install -e {name}",) if skeleton.is_package else ()
    tests = () if importlib.util.find_spec("pytest") else ("pip install pytest",)
    yield from (*install, *tests, f"pytest {name}")
    yield from (_filled(one, names) for one in skeleton.then)


def _skeleton(what: str) -> Skeleton:
    if what not in SKELETONS:
        message = f"there is no skeleton of a '{what}'"
        raise input_error(message, hint=nearest(what, SKELETONS))
    return SKELETONS[what]


def _check_name(skeleton: Skeleton, name: str) -> None:
    """Raises InputError: a name of files, of a package or of a function in Python, that nothing
    else has."""
    if not is_name(name):
        raise input_error(f"'{name}' is no name", hint=NAME_RULE)
    if skeleton.what == "machine":
        return
    is_fit = name.isidentifier() and name.islower() and not keyword.iskeyword(name)
    if not is_fit:
        hint = "small letters, digits and '_', and a letter first: it is a name in Python, too"
        raise input_error(f"a {skeleton.what} cannot be called '{name}'", hint=hint)
    if skeleton.is_package and importlib.util.find_spec(name) is not None:
        hint = "choose another: what is imported by that name is not what would be made"
        raise input_error(f"there is a package '{name}' already", hint=hint)


def _texts(skeleton: Skeleton, names: dict[str, str]) -> Iterator[tuple[Path, str]]:
    """The files of a skeleton, by their paths below its folder."""
    folder = FOLDER / skeleton.what
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and not any(part.startswith(CACHES) for part in parts):
            filled = Path(*(_filled(part, names) for part in parts))
            yield filled, _filled(path.read_text(encoding="utf-8"), names)


def _filled(text: str, names: dict[str, str]) -> str:
    for word, name in names.items():
        text = text.replace(word, name)
    return text


def _class_name(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
