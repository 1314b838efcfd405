"""Names that no label of the file defines: aliases of labels, and functions of other files.

sqrt = sqrt_of_double                  another name of the same place
br.call.sptk.many b0 = report#         a function that stands in no label of the file: a bundle
                                       behind the code is it, which faults with its name
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from compiler.frontends.ia64.names import NAMES_HINT
from compiler.frontends.ia64.source import Flush, Instruction, Label, Source
from compiler.frontends.ia64.syntax import Names
from machines.diagnostics import Diagnostic
from machines.instructions.ia64_absent import ABSENT_FUNCTION
from machines.kinds.epic.program import BUNDLE_BYTES

_BRANCH = re.compile(
    r"(?:\([^)]*\)\s*)?br(?P<call>\.call)?[\w.]*\s+(?(call)[^=]*=)\s*(?P<name>[A-Za-z_$][\w.$]*)",
    re.IGNORECASE,
)
_LIKE_A_REGISTER = re.compile(r"[rfpb]\d+\Z")


def with_aliases(labels: Mapping[str, int], names: Names) -> dict[str, int]:
    """The bundle of each label, and of each alias of one; behind a label by whole bundles."""
    found = dict(labels)
    for alias in names.aliases:
        root, distance = names.root(alias)
        if root in labels and distance % BUNDLE_BYTES == 0:
            found.setdefault(alias, labels[root] + distance // BUNDLE_BYTES)
    return found


def nothing_named(source: Source, names: Names) -> Iterator[Diagnostic]:
    """Aliases of what is neither label nor data of the file."""
    for alias, (_, _, statement) in source.aliases.items():
        root, distance = names.root(alias)
        if root in names.labels and distance % BUNDLE_BYTES:
            message = f"'{alias}' is {distance} bytes from '{root}', which is inside a bundle"
        elif root not in names.labels and root not in names.places:
            message = f"'{root}' is not a constant, nor a register or label of this file"
        else:
            continue
        yield Diagnostic(message, statement.location, statement.written, NAMES_HINT)


def add_absent_functions(source: Source) -> set[str]:
    """Put a bundle behind the code for each function that is called and has no label; of jumps only
    those to names that a directive declares, as others are more likely mistyped.  Returns them."""
    known = {item.name for item in source.items if isinstance(item, Label)}
    known.update(source.aliases, (buffer.name for buffer in source.buffers))
    absent: set[str] = set()
    for instruction in source.instructions:
        match = _BRANCH.fullmatch(instruction.text)
        name = match.group("name") if match else None
        if name is None or name in known or name in absent or _LIKE_A_REGISTER.match(name):
            continue
        is_other = instruction.scope.registers.find(name) or name in instruction.scope.constants
        if not is_other and (match.group("call") or name in source.declared):
            absent.add(name)
            text, where = f"break.b {ABSENT_FUNCTION:#x}", instruction.location
            stub = Instruction(text, where, instruction.written, instruction.scope, stop=True)
            source.items += [Flush(), Label(name, where), stub]
    source.items.append(Flush())
    return absent
