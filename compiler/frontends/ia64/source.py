"""What a file of assembly says, before it is decoded: a stream of items, and buffers.

1: { ld8 a[0] = [r14], 8     Label('.L1$1'), Instruction('ld8 r32 = [r14], 8', opens, stop),
   ;; add r8 = 1, r8 }       Instruction('add r8 = 1, r8', closes),
   .align 32                 Align(32)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from compiler.frontends.ia64.data import DataBuffer
from compiler.frontends.ia64.names import Scope
from compiler.frontends.ia64.statements import Statement
from machines.diagnostics import Diagnostic, Location
from machines.kinds.epic.program import Relation


@dataclass
class Instruction:
    """An instruction as written.

    stop       a stop follows it
    opens      '{' stands before it, `closes`: '}' after it
    template   the template that a directive names before it ('.mii')
    relations  what `.pred.rel` says of predicates from here on
    """

    text: str
    location: Location
    written: str
    scope: Scope
    stop: bool = False
    opens: bool = False
    closes: bool = False
    template: str | None = None
    relations: list[Relation] = field(default_factory=list)


@dataclass(frozen=True)
class Label:
    """A label; a `tag` names the bundle of the next instruction, wherever that stands in it."""

    name: str
    location: Location
    tag: bool = False


@dataclass(frozen=True)
class Flush:
    """A new bundle and a new group begin."""


@dataclass(frozen=True)
class Align(Flush):
    """Nops up to a multiple of `bytes`."""

    bytes: int


@dataclass(frozen=True)
class Space(Flush):
    """Bundles of zeros."""

    bundles: int


Item = Instruction | Label | Flush


@dataclass
class Source:
    """What the statements of a file say; `constants` as they are at its end.

    aliases   other names of labels: 'b' of `b = a + 16` -> ('a', 16, the statement)
    declared  names that a directive calls global, or functions
    """

    items: list[Item] = field(default_factory=list)
    buffers: list[DataBuffer] = field(default_factory=list)
    globals: list[str] = field(default_factory=list)
    declared: set[str] = field(default_factory=set)
    aliases: dict[str, tuple[str, int, Statement]] = field(default_factory=dict)
    defined: dict[str, Location] = field(default_factory=dict)
    constants: Mapping[str, int] = field(default_factory=dict)
    findings: list[Diagnostic] = field(default_factory=list)

    @property
    def instructions(self) -> list[Instruction]:
        return [item for item in self.items if isinstance(item, Instruction)]
