"""What may be wrong with what a user gives, sorted: a code for each sort, and a page about it.

A code is for the sort of a mistake, not for a sentence: there are several hundred of these, and
they change.  A page `CODE.md` of this folder begins

    # CODE: what is wrong, in a sentence

    Told by `package.module` `package.other`        (or: others)

and goes on with the cause, an example with what simrun says of it, and the way out.  So it is the
page that says whose findings have the code: those of the modules that it names, and of all below
them that no page names better.  `simrun explain CODE` prints it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
FROM_PACKAGE = "package"
"""The code of what packages find that are none of simrun."""

_HEAD = re.compile(r"# (?P<code>[a-z0-9-]+): (?P<sentence>.+)\n\nTold by (?P<modules>.+)\n")


@dataclass(frozen=True)
class Mistake:
    """A sort of mistakes: its code, what is wrong in a sentence, who tells of it, its page."""

    code: str
    sentence: str
    modules: tuple[str, ...]
    page: str


@cache
def mistakes() -> dict[str, Mistake]:
    """All of them by their codes."""
    found = {}
    for path in sorted(FOLDER.glob("*.md")):
        page = path.read_text(encoding="utf-8")
        head = _HEAD.match(page)
        if head is None or head["code"] != path.stem:
            raise ValueError(f"{path.name} does not begin as such pages do")
        modules = tuple(re.findall(r"`([\w.]+)`", head["modules"]))
        found[path.stem] = Mistake(path.stem, head["sentence"], modules, page)
    return found


@cache
def code_of(module: str) -> str:
    """The code of what a module finds: that of the page which names it, or the nearest above it."""
    owners = _owners()
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        if code := owners.get(".".join(parts[:length])):
            return code
    return FROM_PACKAGE


@cache
def _owners() -> dict[str, str]:
    return {module: one.code for one in mistakes().values() for module in one.modules}
