"""Features of random programs of ptx rows, as the interpreter of threads executes them.

A row's features are executed if some thread executed it and its guard was true.
"""

from __future__ import annotations

from compiler.targets.simt.interpreter.generate_python import generate
from machines.kinds.simt.program import GUARD, WarpProgram
from tests.campaign.feature_pairs import between
from tests.campaign.traced import traced_lines
from tests.sim.simt.random_row_programs import COMPUTED, RandomRows
from tests.sim.simt.random_row_runs import assembled, run_threads

_SHAPES = ("one thread", "partial warp", "several warps")
_BLOCKS = ("several blocks", "more blocks than fit")
_LAUNCHES = ("one launch", "launches in turn", "launches side by side")
_COUNTED = ("barrier that some only arrive at", "counted barrier")
_ENDED = ("barrier after lanes have ended", "row of a warp after lanes have ended",
          "lanes that end early")  # fmt: skip
_FAULTS = ("misaligned", "out of bounds", "trap")
FEATURES = (
    *COMPUTED, "guard true", "guard false", "register nobody writes", "half of a pair",
    "special register", "parameter", "load", "store", "global", "shared", "local", "constant",
    "generic global", "generic shared", "generic local", "8 bits", "16 bits", "32 bits", "64 bits",
    "vector", "negative offset", "negative stride", "spaces mixed in a load",
    "spaces mixed in a store", "address replaced by what it leads to",
    "shared memory before it is written", "local memory before it is written",
    "shared memory full", "atomic global", "atomic shared", "atomic generic",
    "atomic of all lanes on one word", "atomic of lanes on some words",
    "atomic whose result is used", "if", "if and else", "empty side", "loop",
    "loop that may not turn", "loop left in its middle", "loop of all together",
    "blocks in any order", "barrier", *_COUNTED, "barrier on both sides of a branch", *_ENDED,
    "fence", "tile mask", "tile row", "tile row of tiles that went apart", "row of a whole warp",
    "shuffle up", "shuffle down", "shuffle bfly", "shuffle idx", "vote", "ballot", "redux", "match",
    "barrier of a warp", *_SHAPES, *_BLOCKS, "blocks in two or three dimensions",
    "threads in two or three dimensions", *_LAUNCHES, *_FAULTS,
)  # fmt: skip
IMPOSSIBLE = {
    **between(("one thread",), ("partial warp", "several warps"), "a block has one size"),
    **between(("one thread",), ("threads in two or three dimensions",), "one thread has none"),
    **between(_BLOCKS, _BLOCKS, "a grid has one size"),
    **between(("more blocks than fit",), ("blocks in two or three dimensions",),
              "the grid of many blocks is a row"),
    **between(_LAUNCHES, _LAUNCHES, "a program is launched in one way"),
    **between(_FAULTS, _FAULTS, "a program ends once"),
    **between(_COUNTED, ("one thread", "partial warp"), "whole warps count"),
    **between(_ENDED[:2], ("one thread",), "no other thread is there"),
    **between(_COUNTED, _ENDED, "lanes that have ended do not come"),
}  # fmt: skip


def executed(seed: int) -> set[str]:
    """What some thread of the program of this seed executes."""
    source = RandomRows(seed)
    program = assembled(source)
    with traced_lines() as lines:
        _, outcome = run_threads(source, program)
    assert outcome.status in ("done", "fault"), outcome
    (ran,) = lines.values()
    found = _of_rows(source, program, ran)
    kind = outcome.fault.kind if outcome.fault else ""
    if _ENDED[2] not in found:
        found -= {*_ENDED}
    if "one thread" in found:  # which ended is of another block
        found -= {*_ENDED[:2]}
    return found - {*_FAULTS} | {name for name in _FAULTS if name in kind}


def _of_rows(source: RandomRows, program: WarpProgram, ran: set[int]) -> set[str]:
    generated = generate(program, program.kernels["k"])
    text = generated.source.splitlines()
    lines_of: dict[int, list[int]] = {}
    for line, row in generated.points.items():
        lines_of.setdefault(row, []).append(line)
    found: set[str] = set()
    for row, lines in lines_of.items():
        reached = ran.intersection(lines)
        if not reached:
            continue
        guarded = bool(program.code[row, GUARD]) and "bra" not in source.rows[row]
        if guarded:
            depth = {line: len(text[line - 1]) - len(text[line - 1].lstrip()) for line in lines}
            inner = {line for line in lines if depth[line] > min(depth.values())}
            if not reached & inner:
                found.add("guard false")
                continue
            found.add("guard true")
        found.update(source.features[row])
    return found
