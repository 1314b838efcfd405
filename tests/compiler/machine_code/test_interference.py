"""Graphs of random machine code: as the definition says, before and after spilling."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from compiler.analyses.code_flow import leads_away, targets
from compiler.ir.module import Function
from compiler.machine_code.colouring import coalesce
from compiler.machine_code.interference import Interference
from compiler.machine_code.liveness import liveness_of
from compiler.machine_code.operands import Operands
from compiler.pass_lists import make_steps
from compiler.pipelines import run_steps
from compiler.targets.epic.registers import operands as epic
from compiler.targets.epic.registers.spilling import Slots
from compiler.targets.simt.registers import operands as simt
from compiler.targets.simt.registers.spilling import LocalMemory
from machines.description.load import load_machine
from tests.campaign.seeds import short_form
from tests.compiler.code_of_lines import code
from tests.programs import random_kernels, random_programs

SEEDS = short_form(range(30), 2)
BASE = "r12"
"""The stack pointer of an Itanium 2."""


def virtual_code(kind: str, seed: int) -> tuple[Function, Operands, object]:
    """A random function as it comes to the allocator, how it is read, and what spills it."""
    is_epic = kind == "epic"
    machine = load_machine("itanium2" if is_epic else "teaching_gpu")
    program = (random_programs if is_epic else random_kernels).generate(seed)
    steps = list(make_steps(kind, "default"))
    end = [step.plugin.name for step in steps].index("allocate_registers")
    run_steps(steps[:end], program.function, program.module, machine)
    function = program.function
    spiller = Slots(function, machine.description) if is_epic else LocalMemory(function)
    return function, (epic if is_epic else simt).OPERANDS, spiller


def alive_after(function: Function, operands: Operands) -> dict:
    """What is alive behind every instruction, by going round until nothing changes."""
    before: dict[str, set[str]] = {name: set() for name in function.blocks}
    after: dict = {}
    following = dict(pairwise(function.blocks))
    changed = True
    while changed:
        changed = False
        for name, block in function.blocks.items():
            live = set(before[following[name]]) if name in following else set()
            for i in reversed(block.instructions):
                if leads_away(i):
                    live = set()
                for label in targets(i):
                    live |= before[label]
                after[i] = set(live)
                if not operands.keeps_old_value(i):
                    live -= set(operands.written(i))
                live |= set(operands.read(i))
            changed |= live != before[name]
            before[name] = live
    return after


def by_definition(function: Function, operands: Operands) -> set[frozenset[str]]:
    """Pairs of virtual registers of which one is written while the other is alive."""
    banks = {n: operands.banks[f] for _, i in function.instructions() for n, f in operands.named(i)}
    edges, after = set(), alive_after(function, operands)
    for _, i in function.instructions():
        written = set(operands.written(i))
        spared = operands.move_source(i) if i.guard is None else None
        for one in filter(operands.is_virtual, written):
            others = {n for n in after[i] | written if operands.is_virtual(n)} - {one, spared}
            edges |= {frozenset((one, n)) for n in others if banks[n] == banks[one]}
    return edges


def edges_of(nodes: list) -> set[frozenset[str]]:
    return {
        frozenset((node.members[0], nodes[other].members[0]))
        for node in nodes
        for other in node.neighbours
    }


def told(graph: Interference) -> list:
    """All that a graph says, by name."""
    names = {bit: name for name, bit in graph.bits.items()}
    nodes = graph.nodes()
    return [
        (
            node.members,
            node.file,
            node.weight,
            {names[bit] for bit in names if node.forbidden & bit} - {BASE},
            [nodes[k].members for k in node.neighbours],
        )
        for node in nodes
    ]


@pytest.mark.parametrize("kind", ["epic", "simt"])
@pytest.mark.parametrize("seed", SEEDS)
def test_graphs_are_as_defined_and_stay_so_when_registers_are_spilled(kind: str, seed: int):
    function, operands, spiller = virtual_code(kind, seed)
    base = BASE if kind == "epic" else None
    graph = Interference(function, liveness_of(operands)(function), base)
    assert edges_of(graph.nodes()) == by_definition(function, operands)
    random = Random(seed)
    for _ in range(3):
        lasting = [n for n in graph.names if n not in spiller.temporaries]
        lasting = [n for n in lasting if kind == "epic" or graph.files[n] != "pred"]
        gone = random.sample(lasting, min(len(lasting), 4))
        walked = graph.visits
        changed = spiller.spill(gone, graph.files)
        graph.spilled(gone, changed)
        instructions = sum(1 for _ in function.instructions())
        assert graph.visits - walked <= instructions  # each block once, or not at all
        anew = Interference(function, liveness_of(operands)(function), base)
        assert told(graph) == told(anew)
        assert graph.moves == anew.moves


@pytest.mark.parametrize("seed", SEEDS)
def test_what_moves_join_is_one_node_where_it_may(seed: int):
    function, operands, _ = virtual_code("simt", seed)
    graph = Interference(function, liveness_of(operands)(function))
    alone, nodes = graph.nodes(), graph.nodes()
    coalesce(nodes, graph.moves)
    assert sorted(n for node in nodes for n in node.members) == sorted(graph.names)
    of = {name: k for k, node in enumerate(nodes) for name in node.members}
    edges = edges_of(alone)
    for one, other in map(tuple, edges):
        assert of[one] != of[other] and of[one] in nodes[of[other]].neighbours
    assert sum(len(node.neighbours) for node in nodes) == 2 * len(
        {frozenset(of[name] for name in edge) for edge in edges}
    )
    for _, result, source in graph.moves:
        one, other = of[result], of[source]
        is_joined, is_apart = one == other, other in nodes[one].neighbours
        assert is_joined or is_apart or nodes[one].file != nodes[other].file


def edges_in(family: str, operands: Operands, lines: list[str], end: str) -> set[frozenset[str]]:
    function = code(family, entry=[*lines, end])
    return edges_of(Interference(function, liveness_of(operands)(function)).nodes())


def test_results_of_one_instruction_interfere_though_nothing_reads_them():
    lines = ["%a, %b = ld.shared.v2.b32 0, 0"]
    assert edges_in("ptx", simt.OPERANDS, lines, "exit") == {frozenset(("%a", "%b"))}


def test_a_guarded_move_keeps_its_ends_apart():
    """It may leave the old value of the one where the other is alive."""
    moved = ["%y = addl 1, r0", "%x = adds 0, %y", "%z = add %x, %y"]
    assert not edges_in("ia64", epic.OPERANDS, moved, "br.ret 0, b0")
    guarded = ["%y = addl 1, r0", "@%p %x = adds 0, %y", "%z = add %x, %y"]
    assert edges_in("ia64", epic.OPERANDS, guarded, "br.ret 0, b0")
