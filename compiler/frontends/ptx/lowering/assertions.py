"""What an assertion says that may fail: `assert(n > 0)` calls `__assertfail` with texts.

call.uni __assertfail, (param0, param1, param2, param3, param4);
->   "assertion failed: 'n > 0', f.cu:12, in f"
"""

from __future__ import annotations

from compiler.frontends.ptx.lowering.known_arguments import Known, calls_of, string
from compiler.frontends.ptx.reading.tree import Tree

ASSERTION_FAILED = "__assertfail"
"""What the code of `assert` calls: message, file, line, function, bytes of a character."""


def assertion_texts(tree: Tree) -> dict[int, str]:
    """The text of each failing assertion, by the call's identity; what is not known is left out."""
    found = ((call, _text(values, tree)) for call, values in calls_of(tree, ASSERTION_FAILED))
    return {id(call): text for call, text in found if text}


def _text(values: list[Known | None], tree: Tree) -> str | None:
    """'assertion failed: 'n > 0', f.cu:12, in f' of the values of the parameters."""
    message, file, line, function, *_ = [*values, None, None, None, None]
    if (what := _string(message, tree)) is None:
        return None
    where = _string(file, tree)
    place = f", {where}:{line}" if where and isinstance(line, int) else ""
    caller = _string(function, tree)
    return f"assertion failed: '{what}'{place}" + (f", in {caller}" if caller else "")


def _string(value: Known | None, tree: Tree) -> str | None:
    found = string(value, tree)
    return None if found is None else found.decode(errors="replace")
