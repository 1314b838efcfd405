"""What holds for the chains and the SSA names of every function in variable form."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from compiler.analyses import chains as chains_module
from compiler.analyses.chains import chains, used_before_definition
from compiler.analyses.control_flow import control_flow
from compiler.analyses.graphs import NOTHING
from compiler.analyses.ssa import reaching_definitions as fixpoint_module
from compiler.analyses.ssa import renaming as renaming_module
from compiler.analyses.ssa.chain_tables import Row, Statement, table_with_phis, table_without_phis
from compiler.analyses.ssa.occurrences import DEFINITION, Occurrences, occurrences
from compiler.analyses.ssa.reaching_definitions import reaching_definitions
from compiler.analyses.ssa.renaming import renaming
from compiler.ir.copy import copy_function
from compiler.ir.module import Function, Module
from compiler.passes.construct_ssa import construct
from compiler.verify.ir import findings_of
from tests.campaign import seeds


def check(function: Function) -> None:
    """Fails if one of them does not."""
    equals_the_fixpoint(function)
    compiled_kernels_find_the_same(function)
    tables_agree(function)
    phis_are_needed(function)
    undefined_uses_are_shown(function)
    constructed_form_has_the_same_chains(function)


def equals_the_fixpoint(function: Function) -> None:
    found, expected = chains(function), reaching_definitions(function)
    assert found.defs == expected.defs
    assert found.uses == expected.uses


def tables_agree(function: Function) -> None:
    """Folding the table with phis by its text alone gives the table without them."""
    with_phis = _rows(table_with_phis(function))
    expected = _rows(table_without_phis(function))
    phis = with_phis.keys() - expected.keys()
    operands: dict[int, list[int]] = {}
    for number in sorted(phis):
        row = with_phis[number]
        if row.kind == "def":
            operands[number] = last = []
        else:
            last.append(number)
    defs = {}
    for number in expected:
        behind, pending = set(), list(with_phis[number].defs)
        while pending:
            definition = pending.pop()
            if definition not in behind:
                behind.add(definition)
                for operand in operands.get(definition, ()):
                    pending += with_phis[operand].defs
        defs[number] = sorted(behind - phis)
    assert defs == {number: row.defs for number, row in expected.items()}
    uses: dict[int, list[int]] = {number: [] for number in expected}
    for number, found in defs.items():
        for definition in found:
            uses[definition].append(number)
    assert uses == {number: row.uses for number, row in expected.items()}


def _rows(table: list[Statement]) -> dict[int, Row]:
    return {row.id: row for statement in table for row in statement.rows}


def phis_are_needed(function: Function) -> None:
    """No phi could be removed: every one joins several definition points, itself aside, and a use,
    another phi or a predicated value linked to it takes its value."""
    renamed = renaming(function)
    takers = [(value, None) for value in renamed.value]
    takers += [(value, predicated) for predicated, value in renamed.previous.items()]
    takers += [(value, phi) for phi, values in renamed.operands.items() for value in values]
    for phi, values in renamed.operands.items():
        assert len({*values} - {phi}) > 1
        assert any(value == phi != taker for value, taker in takers)
    names = list(renamed.names.values())
    assert len(names) == len({*names})


def undefined_uses_are_shown(function: Function) -> None:
    """On each of the paths, which are paths, nothing assigns the variable."""
    places, flow = occurrences(function), control_flow(function)
    layout = {name: number for number, name in enumerate(function.blocks)}
    reports = {report.occurrence: report.path for report in used_before_definition(function)}
    for occurrence, path in reports.items():
        assert path[0] == function.entry.name
        assert all(b in flow.successors[a] for a, b in pairwise(path))
        block = layout[path[-1]]
        assert occurrence in {o for o, _ in _of_block(places, block)}
        assigned = {
            places.variable[o]
            for name in path[:-1]
            for o, kind in _of_block(places, layout[name])
            if kind == DEFINITION
        }
        assert places.variable[occurrence] not in assigned
    undefined = {o for o, value in enumerate(renaming(function).value) if value == NOTHING}
    blocks = (layout[name] for name in flow.reverse_postorder)
    reached = {o for block in blocks for o, _ in _of_block(places, block)}
    assert reports.keys() == undefined & reached


def _of_block(places: Occurrences, block: int) -> Iterator[tuple[int, int]]:
    """Its occurrences, each with its kind."""
    for instruction in range(places.first[block], places.first[block + 1]):
        yield from places.of(instruction)


def compiled_kernels_find_the_same(function: Function) -> None:
    """Numba's code and plain Python, of whatever size the function is.  That of the fixpoint, which
    only benchmarks ask, takes five seconds to compile and is for the campaign."""
    places, known = occurrences(function), renaming(function)
    operands = known.operand_rows
    of_chains = known.value_of, known.before, operands.start, operands.items
    kernels = [(renaming_module.KERNEL, places.arguments), (chains_module.KERNEL, of_chains)]
    if not seeds.LEFT_OUT:
        kernels.append((fixpoint_module.KERNEL, places.arguments))
    for kernel, arguments in kernels:
        plain, compiled = kernel(-1, *arguments), kernel(kernel.at_least, *arguments)
        assert [part.tolist() for part in compiled] == list(plain)


def constructed_form_has_the_same_chains(function: Function) -> None:
    """It is well-formed; if it has the same statements, its chains are those of the names."""
    constructed = copy_function(function)
    construct(constructed)
    module = Module({function.name: constructed}, function.buffers)
    assert findings_of(module) == []
    renamed, flow = renaming(function), control_flow(function)
    links_and_operands = [renamed.previous, *renamed.operands.values(), renamed.value]
    has_undefined = any(NOTHING in _values(part) for part in links_and_operands)
    entry_is_joined = bool(flow.predecessors[function.entry.name])
    if flow.unreachable or entry_is_joined or has_undefined or not _looks_constructed(constructed):
        return
    assert _plain(table_with_phis(function)) == _plain(table_with_phis(constructed))


def _values(part: list[int] | dict[int, int]) -> list[int]:
    return list(part.values()) if isinstance(part, dict) else part


def _looks_constructed(function: Function) -> bool:
    """Only phis and ties tell SSA form, so that the chains take its names as they are."""
    return any(i.is_phi or i.otherwise for _, i in function.instructions())


def _plain(table: list[Statement]) -> list[tuple]:
    return [(r.id, r.name, r.kind, r.defs, r.uses) for s in table for r in s.rows]
