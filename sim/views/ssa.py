"""View `ssa`: a function in SSA form, and everything that led there.

    BB2: branch opaque, BB3, BB4     BB2: dominated by BB1, frontier BB2, assigns nothing,
    BB3: @p x = a + b           ->        x2 = phi [BB1: x1, BB5: x4]
         jump BB4                    BB3: dominated by BB2, frontier BB4, assigns x
                                     x5 is linked to x2

Ids are those of `compiler.analyses.ssa.chain_tables`.  Sets of variables and of blocks are lists in
the order of declaration.  compiler/analyses/README.md says how it looks as JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from compiler.analyses.chains import used_before_definition
from compiler.analyses.dominators import dominators
from compiler.analyses.ssa.block_sets import block_sets
from compiler.analyses.ssa.chain_tables import ids_of_occurrences, table_with_phis
from compiler.analyses.ssa.occurrences import occurrences
from compiler.analyses.ssa.renaming import CALL, renaming
from compiler.ir.copy import copy_function
from compiler.ir.module import Block, Function
from compiler.ir.printer import print_function
from compiler.passes.construct_ssa import construct
from sim.views import DOT, JSON, SOURCE, TEXT, Option, Shown, View
from sim.views.graphs import digraph


@dataclass(frozen=True, slots=True)
class PhiOperand:
    """`source` is the block it comes from, None for the call of the function; `name` is None where
    the variable was never assigned."""

    source: str | None
    name: str | None


@dataclass(frozen=True, slots=True)
class Phi:
    """A phi that is placed, or that the source has."""

    variable: str
    name: str
    operands: list[PhiOperand]


@dataclass(frozen=True, slots=True)
class BlockFacts:
    """`dominator` is the immediate one, None for the entry and for blocks never reached; `children`
    are the blocks it immediately dominates; `statements` are its phis and instructions with SSA
    names, without the terminator."""

    name: str
    line: int | None
    reached: bool
    successors: list[str]
    dominator: str | None
    children: list[str]
    frontier: list[str]
    assigned: list[str]
    phis: list[Phi]
    statements: list[str]


@dataclass(frozen=True, slots=True)
class Link:
    """A predicated name and the one before it, None if the variable was never assigned."""

    name: str
    previous: str | None


@dataclass(frozen=True, slots=True)
class Name:
    """An SSA name, the id of its definition, and the ids of the uses of that name."""

    name: str
    variable: str
    definition: int
    uses: list[int]


@dataclass(frozen=True, slots=True)
class UndefinedUse:
    """A use that no definition reaches, and the way there; `id` is None in a terminator."""

    id: int | None
    line: int | None
    variable: str
    path: list[str]


@dataclass(frozen=True, slots=True)
class SsaFacts:
    """The whole; `text` is the function in SSA form."""

    function: str
    text: str
    effect_prs: list[str]
    global_prs: list[str]
    blocks: list[BlockFacts]
    predicated: list[Link]
    names: list[Name]
    used_before_definition: list[UndefinedUse]


def show_ssa(function: Function, with_sets: bool = False) -> Shown:
    """The function in SSA form; the data has everything that led there."""
    facts = ssa_facts(function)
    lines = facts.text.splitlines()
    lines += [f"# {line}" for line in undefined_lines(facts.used_before_definition)]
    if with_sets:
        lines += [f"# {line}" for line in set_lines(facts)]
    nodes = [(b.name, "\n".join([f"{b.name}:", *b.statements, ""])) for b in facts.blocks]
    edges = [(b.name, target, "") for b in facts.blocks for target in b.successors]
    return Shown("\n".join(lines) + "\n", asdict(facts), digraph(facts.function, nodes, edges))


def ssa_facts(function: Function) -> SsaFacts:
    """Everything that renaming finds out about a function, which it does not change."""
    sets = block_sets(function)
    copied = copy_function(function)
    construct(copied)
    renamed = renaming(function)
    return SsaFacts(
        function.name,
        print_function(copied),
        _variables(function, sets.effect_prs),
        _variables(function, sets.global_prs),
        _blocks(function),
        [
            Link(renamed.names[value], renamed.names.get(renamed.previous[value]))
            for value in sorted(renamed.previous)
        ],
        _names(function),
        undefined_uses(function),
    )


def undefined_uses(function: Function) -> list[UndefinedUse]:
    """The uses that no definition reaches."""
    known, ids = occurrences(function), ids_of_occurrences(function)
    found = []
    for use in used_before_definition(function):
        location = known.instruction(use.occurrence).location
        variable = known.variables[known.variable[use.occurrence]]
        line = location.line if location else None
        found.append(UndefinedUse(ids.get(use.occurrence), line, variable, list(use.path)))
    return found


def _variables(function: Function, numbers: Iterable[int]) -> list[str]:
    names = occurrences(function).variables
    return [names[number] for number in numbers]


def _blocks(function: Function) -> list[BlockFacts]:
    tree, reached = dominators(function), renaming(function).reached
    assigned = block_sets(function).assigned
    layout = {name: position for position, name in enumerate(function.blocks)}
    statements: dict[str, list[str]] = {name: [] for name in layout}
    for statement in table_with_phis(function):
        if statement.block is not None:
            statements[statement.block].append(statement.text)
    return [
        BlockFacts(
            name,
            block.location.line if block.location else None,
            layout[name] in reached,
            list(block.successors),
            tree.parent.get(name),
            sorted(tree.children.get(name, ()), key=layout.__getitem__),
            sorted(tree.frontier.get(name, ()), key=layout.__getitem__),
            _variables(function, assigned[layout[name]]),
            _phis(function, layout[name], block),
            statements[name],
        )
        for name, block in function.blocks.items()
    ]


def _phis(function: Function, number: int, block: Block) -> list[Phi]:
    renamed = renaming(function)
    names, blocks, variables = (
        renamed.names,
        renamed.occurrences.blocks,
        renamed.occurrences.variables,
    )
    placed = [
        Phi(
            variables[renamed.joined[phi]],
            names[phi],
            [
                PhiOperand(None if source == CALL else blocks[source], names.get(value))
                for source, value in zip(
                    renamed.sources(number), renamed.operands[phi], strict=True
                )
            ],
        )
        for phi in renamed.phis[number]
    ]
    return placed + [
        Phi(
            phi.results[0],
            phi.results[0],
            [
                PhiOperand(str(label), value if isinstance(value, str) else None)
                for label, value in zip(phi.operands[::2], phi.operands[1::2], strict=True)
            ],
        )
        for phi in block.instructions
        if phi.is_phi
    ]


def _names(function: Function) -> list[Name]:
    known = occurrences(function)
    reached = {None, *(known.blocks[block] for block in renaming(function).reached)}
    rows = [row for s in table_with_phis(function) if s.block in reached for row in s.rows]
    uses: dict[str, list[int]] = {}
    for row in rows:
        if row.kind != "def" and row.defs:
            uses.setdefault(row.name, []).append(row.id)
    return [
        Name(row.name, row.variable, row.id, uses.get(row.name, []))
        for row in rows
        if row.kind == "def"
    ]


def listed(items: Iterable[object]) -> str:
    """With spaces between them."""
    return " ".join(map(str, items))


def set_lines(facts: SsaFacts) -> list[str]:
    """The sets of the function and of its blocks, and the links of predicated names."""
    lines = [
        f"effect_prs: {listed(facts.effect_prs)}",
        f"global_prs: {listed(facts.global_prs)}",
    ]
    for block in facts.blocks:
        if not block.reached:
            lines.append(f"{block.name}: never reached")
            continue
        lines.append(
            f"{block.name}: assigned {{{', '.join(block.assigned)}}}, "
            f"frontier {{{', '.join(block.frontier)}}}, "
            f"dominated by {block.dominator or 'nothing'}"
        )
    lines += [
        f"predicated: {link.previous or 'nothing'} <-> {link.name}" for link in facts.predicated
    ]
    return lines


def undefined_lines(uses: Sequence[UndefinedUse]) -> list[str]:
    """A line for each use that no definition reaches."""
    return [
        f"line {use.line}: '{use.variable}'"
        + (f" (id {use.id})" if use.id else "")
        + f" is used before definition: {' -> '.join(use.path)}"
        for use in uses
    ]


VIEWS = (
    View(
        "ssa",
        "A function in SSA form.",
        SOURCE,
        show_ssa,
        (TEXT, JSON, DOT),
        (Option("with-sets", "Also the sets of blocks.", formats=(TEXT,)),),
    ),
)
