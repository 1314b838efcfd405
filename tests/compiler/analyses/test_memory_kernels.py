"""The kernels of memory dependence: compiled as in plain Python, `seed` by versions as by blocks,
work that grows with the function, and objects only for those who read them."""

from __future__ import annotations

import subprocess
import sys
from itertools import product

import pytest

from compiler.analyses.memory import interval_trees, seed_states, sound_states
from compiler.analyses.memory.seed_rules import SEED
from compiler.analyses.memory.sound_rules import SOUND
from compiler.analyses.memory_dependence import CHOICES, MemoryDependence, MemoryOptions
from compiler.ir.module import Function
from tests.benchmarks.memory_dependence import MIXES, program
from tests.compiler.analyses.memory_programs import common_program, dense_program, small_program

SEEDS = [
    MemoryOptions(rules="seed", variant=variant, indirect=indirect)
    for variant, indirect in product(CHOICES["variant"], CHOICES["indirect"])
]


def programs(count: int) -> list[Function]:
    """Some of every kind there is."""
    found = [program(60, mix) for mix in MIXES]
    for seed in range(count):
        found += [dense_program(seed).function, dense_program(seed, exact=True).function]
        found += [common_program(seed).function, small_program(seed * 997)]
    return found


def result(function: Function, options: MemoryOptions) -> tuple:
    found = MemoryDependence(function, options)
    relations = found.store_first, found.stores, found.load_first, found.loads
    return *(list(map(int, some)) for some in relations), found.rounds


@pytest.mark.parametrize(
    "options", [[MemoryOptions()], pytest.param(SEEDS, marks=pytest.mark.campaign)]
)
def test_compiled_as_in_plain_python(monkeypatch, options):
    """To compile the kernels takes most of it: of `seed`, which no machine chooses, in the
    campaign."""
    functions = programs(25)
    plain = [result(function, some) for function in functions for some in options]
    monkeypatch.setattr(SOUND, "at_least", 0)
    monkeypatch.setattr(SEED, "at_least", 0)
    assert [result(function, some) for function in functions for some in options] == plain
    assert isinstance(
        MemoryDependence(functions[0], options[0]).stores, sys.modules["numpy"].ndarray
    )


def test_seed_by_versions_is_seed_block_by_block():
    """Rounds included."""
    for function in programs(16):
        for options in SEEDS:
            *block_by_block, rounds = MemoryDependence(function, options)._rules.by_states()
            assert result(function, options) == (*block_by_block, rounds)


@pytest.mark.parametrize("room", [0, 1])
def test_a_visit_without_room_is_done_again(monkeypatch, room):
    """Whatever room there is at first, the result is the same."""
    functions = programs(5)
    expected = [result(function, MemoryOptions()) for function in functions]
    monkeypatch.setattr(sound_states, "trees_of", lambda _: interval_trees.trees_of(room))
    few = sound_states.sets_of
    monkeypatch.setattr(sound_states, "sets_of", lambda singles, _: few(singles, 0))
    assert [result(function, MemoryOptions()) for function in functions] == expected
    seeds = [result(function, SEEDS[0]) for function in functions]
    monkeypatch.setattr(seed_states, "sets_of", lambda singles, _: few(singles, 0))
    assert [result(function, SEEDS[0]) for function in functions] == seeds


@pytest.mark.parametrize(
    "options, module, words",
    [
        (MemoryOptions(), interval_trees, ("node_of", "own_copy", "united")),
        (SEEDS[0], seed_states, ("join", "overwrite", "is_read")),
    ],
    ids=["sound", "seed"],
)
@pytest.mark.parametrize("mix", MIXES[:2], ids=lambda mix: mix.name)
def test_work_grows_with_the_function(monkeypatch, options, module, words, mix):
    """Eight times the function, eight times the work but for a logarithm; block by block `seed`
    would do 64 times the work."""
    calls = 0

    def counted(word):
        def call(*arguments):
            nonlocal calls
            calls += 1
            return word(*arguments)

        return call

    for name in words:
        monkeypatch.setattr(module, name, counted(getattr(module, name)))
    work = []
    for size in (300, 2400):
        calls, function = 0, program(size, mix)
        MemoryDependence(function, options)
        work.append(calls / size)
    assert work[0] < work[1] < 2 * work[0]


def test_accesses_are_objects_only_for_those_who_read_them():
    found = MemoryDependence(program(60), MemoryOptions())
    assert len(found.stores) and "accesses" not in vars(found.memory)
    assert found.definitions and "accesses" in vars(found.memory)


def test_a_small_function_waits_for_no_compiler():
    text = (
        "import sys; from compiler.analyses.memory_dependence import *;"
        "from tests.benchmarks.memory_dependence import program;"
        "[MemoryDependence(program(99), MemoryOptions(rules=r)) for r in CHOICES['rules']];"
        "print('numba' in sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert ended.stdout == "False\n", ended.stderr
