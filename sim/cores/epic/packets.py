"""Packets as what reads them in Python needs them."""

from __future__ import annotations

from typing import NamedTuple

from sim.cores.epic import state as at
from sim.cores.epic.state import CoreState


class Packet(NamedTuple):
    """What issues in one cycle.

    syllables  those that do something
    end        the syllable behind its last
    following  the packet that comes next if no branch is taken
    checks     its entries of `CoreState.checks`
    line       the last line of code it stands in
    """

    number: int
    syllables: tuple[int, ...]
    end: int
    following: int
    checks: range
    line: int


def packet_of(state: CoreState, number: int) -> Packet:
    row = state.packets[number * at.PACKET_COLUMNS :][: at.PACKET_COLUMNS].tolist()
    syllables, syllable = [], row[at.FIRST]
    while syllable < row[at.END]:
        syllables.append(syllable)
        syllable += int(state.code[syllable * at.CODE_COLUMNS + at.SKIP])
    return Packet(
        number,
        tuple(syllables),
        row[at.END],
        row[at.NEXT_PACKET],
        range(row[at.CHECKS], row[at.CHECKS_END]),
        row[at.LAST_LINE],
    )


def flags_of(state: CoreState, syllable: int) -> int:
    return int(state.code[syllable * at.CODE_COLUMNS + at.FLAGS])


def target_of(state: CoreState, syllable: int) -> int:
    """The packet that a branch goes to whose target is known."""
    return int(state.wide[syllable * at.WORDS_PER_ROW + at.WIDE_WORD])


class Shape(NamedTuple):
    """What of a syllable decides which instructions of the host execute it; operands do not."""

    opcode: int
    flags: int
    is_guarded: bool
    is_stacked: bool
    marks: tuple[bool, ...]


def shape_of(state: CoreState, syllable: int) -> Shape:
    row = state.code[syllable * at.CODE_COLUMNS :][: at.CODE_COLUMNS].tolist()
    return Shape(
        row[at.OPCODE],
        row[at.FLAGS],
        row[at.GUARD] & at.REGISTER_MASK != at.PREDICATE,
        row[at.GUARD] >> at.NEEDS_SHIFT > 0,
        tuple(row[column] > 0 for column in (at.MARK, at.SECOND_MARK, at.THIRD_MARK)),
    )


def only_goes_on(shape: Shape) -> bool:
    """Whether the next syllable follows in any case, and nothing holds the pipe."""
    return not shape.flags & (at.MEMORY | at.BRANCHES | at.MAY_FAULT) and not shape.is_stacked
