"""How many pairs of a store and a load each rule set of memory dependence finds, beside those that
happen when the program runs, and how many of these it misses.

    python -m tests.benchmarks.memory_precision [PROGRAMS]

Dense programs are a few blocks in any order with many overlapping accesses to two small buffers;
those of the common generator have loops, tensors of many shapes and stores through pointers.  What
never happened in a few short runs may happen in another, so even exact rules find more.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from compiler.analyses.memory_dependence import MemoryOptions
from tests.benchmarks._command import command_line
from tests.compiler.analyses.memory_programs import (
    LONG,
    SHORT,
    common_program,
    dense_program,
    dynamic_pairs,
    static_pairs,
)
from tests.programs.random_programs import RandomProgram

PROGRAMS = 1000
KINDS: dict[str, tuple[Callable[[int], RandomProgram], int]] = {
    "dense, all exact": (lambda seed: dense_program(seed, exact=True), SHORT),
    "dense": (dense_program, SHORT),
    "common generator": (common_program, LONG),
}
RULES = {
    "seed": MemoryOptions(rules="seed"),
    "seed, fig. 5 (fast)": MemoryOptions(rules="seed", variant="fast"),
    "seed, indirect: all": MemoryOptions(rules="seed", indirect="all"),
    "sound": MemoryOptions(),
}
ROW = "{:18} {:20} {:>9} {:>9} {:>16} {:>8} {:>20}"


def main(words: Sequence[str]) -> None:
    parser = command_line(__doc__)
    parser.add_argument("programs", nargs="?", type=int, default=PROGRAMS, help="of each kind")
    given = parser.parse_args(words)
    programs = 3 if given.shortest else given.programs
    print(ROW.format(
        "programs", "rules", "static", "dynamic", "static/dynamic", "missed", "programs with a miss"
    ))  # fmt: skip
    for kind, (make, steps) in KINDS.items():
        found = dict.fromkeys(RULES, 0)
        missed = dict.fromkeys(RULES, 0)
        missing = dict.fromkeys(RULES, 0)
        happened = 0
        for seed in range(programs):
            program = make(seed)
            pairs = dynamic_pairs(program, steps)
            happened += len(pairs)
            for name, options in RULES.items():
                static = static_pairs(program.function, options)
                found[name] += len(static)
                missed[name] += len(pairs - static)
                missing[name] += not pairs <= static
        for name in RULES:
            print(ROW.format(
                kind, name, found[name], happened, f"{found[name] / happened:.2f}", missed[name],
                f"{missing[name]} of {programs}",
            ), flush=True)  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
