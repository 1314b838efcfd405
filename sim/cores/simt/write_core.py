"""Writes the functions that run meanings, out of the rows of the operation table.

The rows of a family are dealt into groups that are used together (rows of one mnemonic); a group is
a function of its own with a case for each different text, found by binary search:

    add.s32, add.s64, …  →  meanings_add_0_w32_0123456789abcdef.py:  execute(case, row, words, …)

The core calls it by its address.  So a program costs the compilation of the groups that it uses,
once per version of their texts and width of warps, and the core itself is compiled without any row.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import groupby
from typing import NamedTuple

from machines.instructions import operations
from machines.kinds.simt import reconvergence
from machines.operations.row import Operation
from sim.cores import floating, jit, numbers, returned
from sim.cores.compile_times import Compiling
from sim.cores.compiled_cache import Written, load_written, run_announced
from sim.cores.simt import (
    account,
    barriers,
    dispatch,
    encodings,
    issue_warps,
    lane_merges,
    lane_words,
    lanes,
    memory_rows,
    rounding,
    schedule,
    stall_reasons,
    state,
    trace_events,
    vocabulary,
)
from sim.cores.simt.memory import (
    coalescing,
    device_memory,
    global_memory,
    reservations,
    sectored_cache,
    shared_memory,
)
from sim.cores.simt.memory import (
    parameters as memory_parameters,
)
from sim.cores.written import distinct, indented, search

GROUP = 14
"""Most rows in a function: short enough that compiling one for a single row is no loss."""
MEANINGS = (
    jit, numbers, floating, lane_words, lane_merges, encodings, rounding, vocabulary, lanes,
)  # fmt: skip
CORE = (
    jit, returned, lane_words, state, stall_reasons, trace_events, reconvergence, account, barriers,
    dispatch, memory_rows, schedule, issue_warps, coalescing, device_memory, global_memory,
    reservations, sectored_cache, shared_memory, memory_parameters,
)  # fmt: skip
TEXTS = {module: inspect.getsource(module) for module in (*MEANINGS, *CORE)}
"""Texts as imported: to read them later would find, under a running process, what somebody has
edited since, and keep old code under the new text's name."""


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
        for number, first in enumerate(range(0, len(members), GROUP)):
            group = _group(f"{mnemonic}_{number}", members[first : first + GROUP], width)
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


def group_source(group: Group, width: int) -> str:
    """The text of a group's module."""
    lines = [
        "from numba import cfunc, int64",
        "from sim.cores.jit import ON_ARRAYS",
        "from sim.cores.simt.lane_merges import *",
        "from sim.cores.simt.lane_words import *",
        "from sim.cores.simt.vocabulary import VOCABULARY",
        "",
        *(f'{name} = VOCABULARY["{name}"]' for name in sorted(vocabulary.VOCABULARY)),
        f"WIDTH = {width}",
        f"SIGNATURE = int64(*[int64] * {lane_words.ARGUMENTS})",
        "",
        "",
        "@cfunc(SIGNATURE, cache=True, **ON_ARRAYS)",
        f"def execute({lanes.PARAMETERS}):",
        *indented(search("case", group.texts)),
        "    return 0",
    ]
    return "\n".join(lines) + "\n"


def meanings(instructions: str, names: Iterable[str], width: int) -> dict[str, tuple[int, int]]:
    """(address of the function, case) of the rows of these names that have one."""
    by_name = groups(instructions, width)
    used = {name: by_name[name] for name in names if name in by_name}
    _load({group.stem: group for group in used.values()}.values(), width)
    return {
        name: (_loaded[group.stem, width].address, group.cases[name])
        for name, group in used.items()
    }


_loaded: dict[tuple[str, int], object] = {}


def _load(wanted: Iterable[Group], width: int) -> None:
    """Load the functions of groups, telling the user if there are some to be compiled."""
    written = {group.stem: _written(group, width) for group in wanted
               if (group.stem, width) not in _loaded}  # fmt: skip
    new = [one for one in written.values() if not one.is_compiled]
    what = f"{len(new)} groups of instructions" if len(new) > 1 else "a group of instructions"
    with Compiling("instructions", what) as compiling:
        if new:
            compiling.begin(sum(len(one.source) for one in new))
        for stem, one in written.items():
            _loaded[stem, width] = one.load().execute


def _written(group: Group, width: int) -> Written:
    texts = (TEXTS[module] for module in MEANINGS)
    return Written(f"meanings_{group.stem}_w{width}", group_source(group, width), texts)


CORE_SOURCE = """from sim.cores.simt import issue_warps
from sim.cores.simt.lane_words import pointer_of
from sim.cores.simt.state import Pointers
from sim.cores.jit import inlined, jitted_cached
from sim.cores.simt.memory import global_memory


@inlined
def pointers(state):
    return Pointers(
{pointers}
    )


@jitted_cached
def advance(state, until):
    return issue_warps.run(pointers(state), state.groups, state.memory, until)


@jitted_cached
def settle(state, cycle):
    issue_warps.settle(pointers(state), cycle)


@jitted_cached
def dispatch_blocks(state, cycle):
    issue_warps.dispatch_blocks(pointers(state), state.groups, cycle)


@jitted_cached
def divide_memory(state, sm, shared):
    global_memory.set_carve_out(state.memory, sm, shared)
"""


@cache
def load_core():
    """The module of the jitted core: `advance`, `settle`, `dispatch_blocks` and `divide_memory`."""
    names = [*state.FLAT, *(f"groups.{name}" for name in state.OF_GROUPS)]
    lines = "\n".join(f"        pointer_of(state.{name})," for name in names)
    source = CORE_SOURCE.format(pointers=lines)
    return load_written("core_simt", source, (TEXTS[module] for module in CORE))


def warm_up(run_once: Callable[[], object]) -> None:
    """Compile the core by running it once, telling the user if that takes long."""
    run_announced(load_core().advance, "simt", run_once)


__all__ = ["groups", "has_text", "load_core", "meanings", "warm_up"]
