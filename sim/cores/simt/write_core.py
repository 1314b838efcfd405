"""Writes the functions that run meanings, out of the rows of the operation table.

The rows of a family are dealt into groups that are used together (rows of one mnemonic); a group is
a function of its own with a case for each different text, found by binary search:

    add.s32, add.s64, …  →  meanings_add_0_w32:  execute(case, row, words, …)

The core calls it by its address.  So a program costs the compilation of the groups that it uses,
once per version of their texts and width of warps, and the core itself is compiled without any row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, partial
from itertools import groupby
from typing import NamedTuple

from machines.cache.results import cached
from machines.instructions import operations
from machines.operations.row import Operation
from sim.cores.machine_code import COMPILER, Code, Text, load_code, load_codes
from sim.cores.simt import lanes
from sim.cores.simt.units import UNITS
from sim.cores.written import distinct, indented, search

GROUP = 14
"""Most rows in a function: short enough that compiling one for a single row is no loss."""
GROUP_OF_MATRICES = 4
"""The same of rows about fragments, which are long."""
MEANINGS = (
    *COMPILER, "sim.cores.numbers", "sim.cores.floating",
    *(f"machines.vocabulary.{name}" for name in (
        "floating", "lanes", "numbers", "rounding", "small_floats", "special_functions",
        "special_tables",
    )),
    *(f"sim.cores.simt.{name}" for name in (
        "host.lane_words", "host.lane_vectors", "host.lane_merges", "host.encodings",
        "rounding", "special_functions", "vocabulary",
    )),
)  # fmt: skip
"""Files whose functions those of groups call, and whose constants these are compiled with."""
OF_MATRICES = (
    "machines.vocabulary.rooms", "machines.vocabulary.tensor_cores", "sim.cores.simt.tensor_cores",
)  # fmt: skip
"""The same of groups whose rows are about fragments of matrices."""
CORE = (
    *COMPILER, "machines.elements", "machines.layout", "machines.threads.spaces",
    *(f"machines.vocabulary.{name}" for name in (
        "floating", "lanes", "mbarriers", "numbers", "rooms", "rounding", "small_floats",
        "special_functions", "special_tables",
        "bulk_reductions", "tensor_maps",
    )),
    *(f"machines.kinds.simt.{n}" for n in ("copy_faults", "lane_bits", "program", "reconvergence")),
    "sim.cores.returned", "sim.cores.bounds", "sim.cores.together",
    "machines.vocabulary.tensor_cores", "sim.cores.numbers", "sim.cores.floating",
    *(f"sim.cores.simt.{name}" for name in (
        "rounding", "special_functions", "tables", "tensor_cores", "unit", "units", "state",
        "stall_reasons", "trace_events", "turns", "vocabulary",
    )),
    *(f"sim.cores.simt.units.{unit.name}" for unit in UNITS),
    *(f"sim.cores.simt.cycle.{unit.name}" for unit in UNITS if unit.kinds),
    *(f"sim.cores.simt.cycle.{name}" for name in (
        "bulk_reductions", "choose", "cluster_members", "control_bits", "copy_marks", "issue",
        "issuing", "lane_accesses", "meetings", "operands", "pipes", "scoreboard", "slots",
        "stalls", "trace", "trace_waits", "warp_scheduler",
    )),
    *(f"sim.cores.simt.host.{name}" for name in (
        "lane_words", "lane_vectors", "lane_merges", "encodings", "deferred", "foresight",
        "shared_words", "plain_instructions",
    )),
    *(f"sim.cores.simt.memory.{name}" for name in (
        "bulk_copies", "cluster_network", "coalescing", "device_memory", "dram", "foresight",
        "global_memory", "reservations", "sectored_cache", "shared_memory", "parameters",
    )),
)  # fmt: skip
"""Files that the core consists of."""


class Group(NamedTuple):
    """Rows that share a function: its stem, the case of each row, the lines of each case."""

    stem: str
    cases: dict[str, int]
    texts: tuple[tuple[str, ...], ...]
    rows: tuple[Operation, ...]


@cache
def groups(instructions: str, width: int) -> dict[str, Group]:
    """The group of every row of a family that has a meaning."""
    rows = [row for row in operations().family(instructions).values() if has_text(row)]
    found: dict[str, Group] = {}
    rows.sort(key=_mnemonic)  # stable: rows of a mnemonic stay as they were declared
    for mnemonic, same in groupby(rows, _mnemonic):
        members = list(same)
        most = GROUP_OF_MATRICES if _has_fragments(members[0]) else GROUP
        for number, first in enumerate(range(0, len(members), most)):
            group = _group(f"{mnemonic}_{number}", members[first : first + most], width)
            found |= dict.fromkeys(group.cases, group)
    return found


def has_text(row: Operation) -> bool:
    """Whether a row runs through a written function, not in the core itself."""
    return bool(row.meaning) and row.control is None


def _mnemonic(row: Operation) -> str:
    return row.name.split(".")[0]


def _group(stem: str, rows: Sequence[Operation], width: int) -> Group:
    texts, cases = distinct(rows, lambda row: lanes.case_lines(row, width))
    return Group(stem, cases, texts, tuple(rows))


def is_of_matrices(group: Group) -> bool:
    """Whether its rows are about fragments."""
    return any(map(_has_fragments, group.rows))


def _has_fragments(row: Operation) -> bool:
    return row.combines is not None and bool(row.combines.fragments)


def group_source(group: Group, width: int) -> str:
    """The text of a group's module."""
    lines = [
        "from sim.cores.jit import entry_point",
        "from sim.cores.simt.host.lane_merges import *",
        "from sim.cores.simt.host.lane_words import *",
        "from sim.cores.simt.vocabulary import VOCABULARY",
        *(["from sim.cores.simt import tensor_cores"] if is_of_matrices(group) else []),
        "from numba import int64",
        "",
        "globals().update(VOCABULARY)",
        *(["globals().update(tensor_cores.VOCABULARY)"] if is_of_matrices(group) else []),
        f"WIDTH = {width}",
        "",
        "",
        "@entry_point",
        f"def execute({lanes.PARAMETERS}):",
        *indented(search("case", group.texts)),
        "    return 0",
    ]
    return "\n".join(lines) + "\n"


def meanings(instructions: str, names: Iterable[str], width: int) -> dict[str, tuple[int, int]]:
    """(address of the function, case) of the rows of these names that have one.

    Where each row's case is, is kept, as to write the texts of all rows takes longer than a small
    run; a text is written only if there is no code of it.
    """
    places = cached("cases", [instructions, width], lambda: _places(instructions, width))
    used = {name: places[name] for name in names if name in places}

    def text(name: str) -> Text:
        group = groups(instructions, width)[name]
        modules = (*MEANINGS, *OF_MATRICES) if is_of_matrices(group) else MEANINGS
        return Text(group_source(group, width), modules, over_lanes=True)

    texts = {function: partial(text, name) for name, (function, _) in used.items()}
    code = load_codes("instructions", _told, texts)
    return {
        name: (code[function]["execute"].address, case) for name, (function, case) in used.items()
    }


def _places(instructions: str, width: int) -> dict[str, tuple[str, int]]:
    """(what its function is called, its case) of each row."""
    return {
        name: (f"meanings_{group.stem}_w{width}", group.cases[name])
        for name, group in groups(instructions, width).items()
    }


def _told(count: int) -> str:
    return f"{count} groups of instructions" if count > 1 else "a group of instructions"


CORE_SOURCE = """from sim.cores.jit import entry_point
from sim.cores.simt import turns
from sim.cores.simt.cycle import stalls
from sim.cores.simt.cycle import trace_waits
from sim.cores.simt.cycle import block_dispatcher
from sim.cores.simt.memory import global_memory
from sim.cores.simt.state import CoreState
from sim.cores.tables import view_of

view = view_of(CoreState)


@entry_point
def advance(table, part, parts):
    state = view(table)
    return turns.advance(state, state.groups, state.memory, part, parts)


@entry_point
def conclude(table, parts):
    state = view(table)
    return turns.conclude(state, state.groups, state.memory, parts)


@entry_point
def settle(table, cycle):
    stalls.settle(view(table), cycle)
    return 0


@entry_point
def note_waits(table, cycle):
    trace_waits.note_waits(view(table), cycle)
    return 0


@entry_point
def dispatch_blocks(table, cycle):
    state = view(table)
    block_dispatcher.dispatch_blocks(state, state.groups, cycle)
    return 0


@entry_point
def divide_memory(table, sm, shared):
    global_memory.set_carve_out(view(table).memory, sm, shared)
    return 0
"""


def load_core() -> Code:
    """The jitted core: `advance`, `conclude`, `settle`, `note_waits`, `dispatch_blocks` and
    `divide_memory`."""
    return load_code("simt", "the simt core", "core_simt", lambda: Text(CORE_SOURCE, CORE))
