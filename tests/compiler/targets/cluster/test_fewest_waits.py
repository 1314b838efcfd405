"""As few waits as can be, and none too many: small programs against all sets of waits, and each
placed wait taken away."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from compiler import compile
from compiler.ir.module import Function
from machines.instructions.cluster_control import BARRIERS, WAITS
from tests.campaign.seeds import campaign, check_all
from tests.compiler.targets.cluster.wait_properties import clashing, placed_waits, suffices
from tests.programs.random_tiles import Options, TileProgram, generate
from tests.programs.tile_runs import ONE_CORE, compiled, machine_named, run_streams

CHIP = machine_named("teaching_chip", *ONE_CORE)

# Of all sets of waits the fewest

GRAPHS = {
    "straight": {"b0": ()},
    "diamond": {"b0": ("b1", "b2"), "b1": ("b3",), "b2": ("b3",), "b3": ()},
    "loop": {"b0": ("b1",), "b1": ("b1", "b2"), "b2": ()},
    "early exit": {"b0": ("b1",), "b1": ("b2", "b3"), "b2": ("b1",), "b3": ()},
    "two loops": {"b0": ("b1",), "b1": ("b1", "b2"), "b2": ("b2", "b3"), "b3": ()},
    "nested": {"b0": ("b1",), "b1": ("b2",), "b2": ("b2", "b3"), "b3": ("b1", "b4"), "b4": ()},
    "choice in a loop": {
        "b0": ("b1",),
        "b1": ("b2", "b3"),
        "b2": ("b4",),
        "b3": ("b4",),
        "b4": ("b1", "b5"),
        "b5": (),
    },
}
BUFFERS = {"x": "dram", "a": "nram", "b": "nram", "c": "nram", "s": "sram"}


def small_program(seed: int) -> str:
    """Up to 12 commands in a graph, some of them guarded, some with results."""
    stream = random.Random(f"small {seed}")
    graph = GRAPHS[stream.choice(list(GRAPHS))]
    most = 12 if len(graph) == 1 else 8
    where = [stream.choice(list(graph)) for _ in range(stream.randrange(3, most + 1))]
    lines = [f"{name}: f32[16] in {space}" for name, space in BUFFERS.items()]
    lines += ["func @main(n: i64) {"]
    for block, successors in graph.items():
        lines.append(f"{block}:")
        if block == "b0":
            lines += ["p = eq.i64 n, 1", "v = const.f32 1.0"]
        lines += [_command(stream) for name in where if name == block]
        ends = ("return", f"jump {', '.join(successors)}", f"branch p, {', '.join(successors)}")
        lines.append(ends[len(successors)])
    return "\n".join([*lines, "}"])


def _command(stream: random.Random) -> str:
    def interval(names: str, size: int) -> str:
        low = stream.choice((0, 0, 4, 8))
        return f"{stream.choice(names)}[{low}:{low + size}]"

    size, guard = stream.choice((4, 8, 8)), stream.choice(("", "", "", "", "@p ", "@!p "))
    kind = stream.choice(("io", "io", "move", "add", "add", "fill", "sum"))
    a, b, c = (interval("abc", size) for _ in range(3))
    if kind == "sum":
        return f"{guard}v = tensor.sum.f32 {a}"
    if kind == "fill":
        return f"{guard}tensor.fill.f32 {a}, v"
    if kind == "add":
        return f"{guard}tensor.add.f32 {a}, {b}, {c}"
    pair = [interval("x" if kind == "io" else "abcs", size), a]
    stream.shuffle(pair)
    if "s" in pair[0][0] + pair[1][0] and kind == "io":
        pair = [a, interval("x", size)]
    return f"{guard}tensor.copy.f32 {pair[0]}, {pair[1]}"


def placed(text: str, **options: bool) -> Function:
    passes = ["allocate_scratchpads", {"place_waits": options} if options else "place_waits"]
    return compile("small.sir", source=text, machine=CHIP, entry="main", passes=passes).function


def check_fewest(seed: int) -> int:
    """The compiler's waits suffice, and no set of one wait less does.

    A wait for one queue says nothing of another: each queue is tried alone, the others empty
    everywhere.
    """
    text = small_program(seed)
    function, bare = placed(text), placed(text, none=True)
    own = [
        WAITS[i.operation.name][0] for _, i in function.instructions() if i.operation.name in WAITS
    ]
    clashes = clashing(bare)
    assert suffices(function, clashing(function), ()), text
    places = [(n, k) for n, block in bare.blocks.items() for k in range(len(block.instructions))]
    for queue in set(own):
        others = [(*place, q) for place in places for q in {"io", "move", "compute"} - {queue}]
        for chosen in combinations(places, own.count(queue) - 1):
            fewer = [*others, *((*place, queue) for place in chosen)]
            assert not suffices(bare, clashes, fewer), (queue, chosen, text)
    return len(own)


@pytest.mark.parametrize("seeds", [range(60)])
def test_no_smaller_set_of_waits_suffices(seeds):
    assert sum(map(check_fewest, seeds)) > len(seeds)


@campaign(100, 100, 2100)
def test_fewest_campaign(seeds):
    check_all(check_fewest, seeds)


# Every wait is needed


def without_meetings(program: TileProgram) -> TileProgram:
    """On a chip of one core there is nobody to meet, and barriers ask for waits all the same."""
    lines = [k for k in program.text.splitlines() if k.strip().partition(" ")[0] not in BARRIERS]
    return TileProgram("\n".join(lines), program.sizes, program.seed, program.arguments)


def check_each(seed: int) -> int:
    """Without any one of its waits a program races.

    What the compiler knows and what a run does agree where all bounds are numbers without strides,
    nothing is guarded, all code runs, loops twice or more, and there is one core.
    """
    options = Options(exact=True, mem=False, most=6)
    program = without_meetings(generate(seed, CHIP, options))
    function = compiled(program, CHIP).function
    waits = placed_waits(function)
    for name, index in waits:
        code = compiled(program, CHIP)
        taken = code.function.blocks[name].instructions.pop(index)
        code.function.version += 1
        races = run_streams(code, program, CHIP).outcome.races
        assert races, f"'{taken.operation}' at {taken.location} is not needed"
    return len(waits)


@pytest.mark.parametrize("seeds", [range(4)])
def test_each_wait_is_needed(seeds):
    assert sum(map(check_each, seeds)) > len(seeds) / 2


@campaign(20, 100, 300)
def test_each_wait_campaign(seeds):
    check_all(check_each, seeds)


# Every wait that counts leaves as many as it may

COUNTING = machine_named("teaching_chip", *ONE_CORE, "waits=counted")


def check_counts(seed: int) -> int:
    """Where any one wait leaves one more command in flight, straight code races."""
    options = Options(exact=True, mem=False, most=6, straight=True)
    program = without_meetings(generate(seed, COUNTING, options))
    left = 0
    for name, index in placed_waits(compiled(program, COUNTING).function):
        code = compiled(program, COUNTING)
        wait = code.function.blocks[name].instructions[index]
        left += wait.operands[0]
        wait.operands = (wait.operands[0] + 1,)
        code.function.version += 1
        assert run_streams(code, program, COUNTING).outcome.races, (
            f"{wait.operation} waits for more"
        )
    return left


@pytest.mark.parametrize("seeds", [range(6)])
def test_counted_waits_leave_what_they_may(seeds):
    assert sum(map(check_counts, seeds)) >= len(seeds) // 5


@campaign(20, 100, 300)
def test_counted_campaign(seeds):
    check_all(check_counts, seeds)
