"""Features of random kernels of the IR, as the interpreter of grids executes them."""

from __future__ import annotations

from collections.abc import Iterator

from compiler.interpret.functions import memory_for
from compiler.interpret.generate_python import source_name
from compiler.interpret.generate_threads import translate_thread
from compiler.interpret.grids import interpret_grid
from compiler.ir.memory_spaces import reachable
from tests.campaign.feature_pairs import between
from tests.campaign.features_ir import Run, of_control, run_of
from tests.campaign.traced import traced_lines
from tests.programs.random_kernels import ATOMICS, RandomKernel, generate
from tests.sim.simt.random_kernel_runs import options_of

_SPACES = ("global", "shared", "local", "global or shared", "global or local", "local or shared")
_SHUFFLES = ("shuffle_index", "shuffle_up", "shuffle_down", "shuffle_xor")
_SHAPES = ("one thread", "partial warp", "several warps")
_BLOCKS = ("one block", "several blocks", "ten blocks")
_EARLY = ("threads end before others meet",)
_CONTROL = (
    "loop turns", "loop does not turn", "loop left in its middle", "loop in a loop",
    "irreducible loop turns", "irreducible loop entered twice", "branch both ways", "early return",
)  # fmt: skip
FEATURES = (
    *_SHAPES, *_BLOCKS, "threads in two or three dimensions", "blocks in two or three dimensions",
    *(f"{kind} {space}" for kind in ("load", "store") for space in _SPACES),
    *(f"access of {t}" for t in ("i8", "i16", "i32", "i64", "f32")),
    *(f"atomic_{name}" for name in ATOMICS), "atomic_exchange", "atomic_cas", "atomic_max_s",
    "atomic of i64", "atomic whose result is used", "local memory before it is written",
    "shared memory before it is written", "guard lets computation", "guard stops computation",
    "guard lets access", "guard stops access", "i64 computed", "f32 computed", "f64 computed",
    "select", "barrier", "fence", "vote_any", "vote_all", "ballot", *_SHUFFLES, "shuffle of i64",
    "shuffle of f32", "shuffle of f64", "call", "unassigned variable read", *_EARLY, *_CONTROL,
)  # fmt: skip
_WHOLE = (*_SHUFFLES, "shuffle of i64", "shuffle of f32", "shuffle of f64")
IMPOSSIBLE = {
    **between(_SHAPES, ("one thread",), "a block has one size"),
    **between(_BLOCKS, _BLOCKS, "a grid has one size"),
    **between(("blocks in two or three dimensions",), ("one block", "ten blocks"),
              "those grids are rows"),
    **between(("one thread",), ("threads in two or three dimensions",), "one thread has none"),
    **between(_WHOLE, ("one thread", "partial warp"), "lanes that are not there give nothing"),
}  # fmt: skip


def executed(seed: int) -> set[str]:
    """What some thread of the kernel of this seed executes."""
    kernel = generate(seed, options_of(seed))
    memory = memory_for(kernel.module, kernel.arguments)
    with traced_lines() as lines:
        outcome = interpret_grid(kernel.function, kernel.arguments, memory, kernel.grid)
    assert outcome.status == "done", outcome.lines()
    found = set(_shape(kernel))
    if outcome.unassigned:
        found.add("unassigned variable read")
    for function in reachable(kernel.function).values():
        run = run_of(function, lines.get(source_name(function.name), set()), translate_thread)
        found.update(_of_instructions(run, kernel))
        found.update(feature for feature in of_control(run) if feature in _CONTROL)
    return found


def _shape(kernel: RandomKernel) -> Iterator[str]:
    grid, threads = kernel.grid, kernel.grid.block_threads
    if threads == 1:
        yield "one thread"
    elif threads % 32:
        yield "partial warp"
    if threads > 32:
        yield "several warps"
    yield {1: "one block", 10: "ten blocks"}.get(grid.block_count, "several blocks")
    if grid.threads[1] > 1:
        yield "threads in two or three dimensions"
    if grid.blocks[1] > 1:
        yield "blocks in two or three dimensions"


def _of_instructions(run: Run, kernel: RandomKernel) -> Iterator[str]:
    for block in run.blocks:  # a fence has no line of its own
        if any(i.operation.name == "fence" for i in run.function.blocks[block].instructions):
            yield "fence"
    for instruction in run.stopped:
        yield f"guard stops {'access' if instruction.operation.access else 'computation'}"
    for instruction in run.done:
        row = instruction.operation
        name, _, kind = row.name.partition(".")
        if instruction.guard:
            yield f"guard lets {'access' if row.access else 'computation'}"
        if name.startswith("shuffle"):
            yield name
            if kind != "i32":
                yield f"shuffle of {kind}"
        elif name in FEATURES:
            yield name
        elif name in ("load", "store"):
            yield f"access of {kind}"
        if name.startswith("atomic") and kind == "i64":
            yield "atomic of i64"
        if name in ("add", "mul", "div", "max", "xor", "shr_s") and kind in ("i64", "f32", "f64"):
            yield f"{kind} computed"
        if instruction in kernel.notes:
            yield kernel.notes[instruction]
