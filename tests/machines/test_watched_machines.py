"""A watched machine is the machine, and says what it was asked."""

from __future__ import annotations

import copy
import pickle
from functools import cached_property

import pytest

from machines.description.load import Machine, load_machine
from machines.description.watched import answers, watch


@pytest.fixture(scope="module")
def machine() -> Machine:
    return load_machine("itanium2")


def test_what_is_asked_is_noted(machine: Machine):
    watched, asked = watch(machine)
    assert watched.description.memory.l2.latency == machine.description.memory.l2.latency
    assert asked == {("memory",), ("memory", "l2"), ("memory", "l2", "latency")}
    assert watched.name == "itanium2"
    assert ("name",) in asked


def test_it_is_of_the_same_types(machine: Machine):
    watched, _ = watch(machine)
    assert isinstance(watched, Machine)
    assert isinstance(watched.description, type(machine.description))
    assert isinstance(watched.description.memory.l2, type(machine.description.memory.l2))
    assert repr(watched.description.templates) == repr(machine.description.templates)
    with pytest.raises(AttributeError, match="no attribute 'l5'"):
        _ = watched.description.memory.l5


def test_derived_values_ask_what_they_are_derived_from(machine: Machine):
    watched, asked = watch(machine)
    assert watched.description.largest_frame == machine.description.largest_frame
    assert any(path[0] == "registers" for path in asked)


def test_of_a_mapping_of_descriptions_its_keys_and_what_is_looked_up(machine: Machine):
    watched, asked = watch(machine)
    assert list(watched.description.ports) == list(machine.description.ports)
    assert asked == {("ports",)}
    assert watched.description.ports["M0"].accepts == machine.description.ports["M0"].accepts
    assert asked == {("ports",), ("ports", "M0", "accepts")}
    fewer = load_machine("itanium2", ["latencies.alu.result=2 cycles"])
    assert answers(fewer, asked) == answers(machine, asked)
    wider = load_machine("epic3")
    assert answers(wider, [("ports",)]) != answers(machine, [("ports",)])


@pytest.mark.parametrize(
    "whole",
    [
        lambda memory: memory.model_dump(),
        lambda memory: memory.model_dump_json(),
        lambda memory: memory.model_copy(),
        copy.copy,
        copy.deepcopy,
        lambda memory: pickle.loads(pickle.dumps(memory)),
        dict,
        repr,
    ],
)
def test_who_looks_at_all_asks_all(machine: Machine, whole):
    watched, asked = watch(machine)
    found, wanted = whole(watched.description.memory), whole(machine.description.memory)
    assert repr(found) == repr(wanted)
    assert ("memory", "l3", "latency") in asked
    other = load_machine("itanium2", ["memory.l3.latency=14 cycles"])
    assert answers(other, sorted(asked)) != answers(machine, sorted(asked))


def test_the_hash_asks_all(machine: Machine):
    watched, asked = watch(machine)
    assert watched.content_hash == machine.content_hash
    assert {field.keys[0] for field in machine.fields()} == {path[0] for path in asked}


def test_how_the_file_is_written_is_asked_too(machine: Machine):
    watched, asked = watch(machine)
    assert [f.path for f in watched.fields()] == [f.path for f in machine.fields()]
    assert ("tree",) in asked
    assert answers(machine, asked) == answers(load_machine("itanium2"), asked)


def test_answers_tell_what_is_not_there(machine: Machine):
    paths = [("memory", "l3"), ("memory", "l3", "latency"), ("nothing", 3)]
    without = load_machine("itanium2", ["memory.l3=null"])
    assert answers(without, paths) == "[null, null, null]"
    assert answers(machine, paths) != answers(without, paths)


def test_numbers_and_truth_are_not_the_same(machine: Machine):
    """JSON keeps 1, 1.0, '1' and true apart."""

    class Other:
        description = cached_property(lambda self: None)

    texts = []
    for value in (1, 1.0, "1", True, None):
        other = Other()
        other.__dict__["description"] = {"a": value}
        texts.append(answers(other, [("a",)]))
    assert len(set(texts)) == 5
