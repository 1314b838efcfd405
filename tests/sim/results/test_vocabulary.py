"""What kinds declare of their results, and the laws that every run keeps."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from compiler import compile
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.kinds import kinds
from machines.kinds.epic.stalls import CAUSES, EVENTS
from machines.layout import Memory
from sim.cores import Core, Outcome, Request, Running, core_of
from sim.kinds.cluster.vocabulary import VOCABULARY as CLUSTER
from sim.kinds.epic.vocabulary import VOCABULARY as EPIC
from sim.kinds.simt.vocabulary import VOCABULARY as SIMT
from sim.results.laws import LawBroken, check_laws, check_outcome
from sim.results.vocabulary import (
    Column,
    Counter,
    Headline,
    Law,
    Reason,
    Table,
    Vocabulary,
    vocabularies,
    vocabulary_of,
)
from sim.simulate import simulate
from sim.timeline.declared import COUNT, CYCLES, Event, Sum, TrackFamily

LOOP = """
    .text
main: mov r8 = 0
      mov r9 = 5 ;;
loop: add r8 = r8, r9
      adds r9 = -1, r9 ;;
      cmp.ne p6, p7 = 0, r9
(p6)  br.cond.dptk.few loop ;;
      br.ret.sptk.many b0 ;;
"""


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    """How a run on Itanium 2 ended that kept all laws."""
    machine = load_machine("itanium2")
    program = compile("loop.s", machine=machine, source=LOOP).program
    return simulate(Request(program, machine, Memory([])))


@pytest.mark.parametrize("kind", kinds())
def test_words_are_declared_once_and_explained(kind: str):
    vocabulary = vocabulary_of(kind)
    for words in (
        vocabulary.reasons, vocabulary.counters, vocabulary.columns,
        vocabulary.events, vocabulary.tracks,
    ):  # fmt: skip
        assert all(word.sentence[0].isalpha() and word.sentence.endswith(".") for word in words)


def test_all_kinds_have_one():
    assert vocabularies() == {"cluster": CLUSTER, "epic": EPIC, "simt": SIMT}


def test_values_of_parts_are_combined_as_the_counter_says():
    parts = SimpleNamespace(parts=np.array([3, 9, 4]), none=np.zeros((0,), dtype=np.int64))
    total = Counter("TOTAL", "events", "All.", lambda s: s.parts)
    most = Counter("MOST", "events", "The most.", lambda s: s.parts, aggregation="maximum")
    assert (total.of(parts), most.of(parts)) == (16, 9)
    assert replace(most, value=lambda s: s.none).of(parts) == 0
    assert replace(most, value=lambda s: None).of(parts) is None
    assert most.combined([4, 7]) == 7 and total.combined([4, 7]) == 11


@pytest.mark.parametrize("value", [2.75, 2.0, float("nan"), np.array([1.5, 2.5]), "2"])
def test_a_fraction_is_no_count(value: object):
    counter = Counter("HALVES", "events", "Halves.", lambda s: value)
    with pytest.raises(ValueError, match=r"^counter .HALVES. counts in whole numbers, not "):
        counter.of(None)


T, ON_T = TrackFamily("t", "T."), Event("e", ("f",), "E.", "t")
FINE = Counter("C", "events", "C.", lambda s: 1)


@pytest.mark.parametrize(
    "words, said",
    [
        ({"counters": (FINE, replace(FINE, unit="cycles"))}, "two counters have the name 'C'"),
        ({"columns": (Column("c", "", "C.", len), Column("c", "", "D.", len))}, "two columns have"),
        ({"laws": (Law("l", len, len),) * 2}, "two laws have the name 'l'"),
        ({"counters": (replace(FINE, aggregation="max"),)},
         "counter 'C' is combined by 'max', not by 'sum' or 'maximum'"),
        ({"counters": (replace(FINE, value=1),)}, "counter 'C': its 'value' is of type int, "),
        ({"counters": (replace(FINE, since="2"),)}, "counter 'C' is there since version '2', "),
        ({"counters": (c for c in [FINE])}, "counter are of type generator, not a tuple"),
        ({"reasons": ("idle",)}, "reason 'idle': it is of type str, not a Reason"),
        ({"reasons": ()}, "it has no reasons"),
        ({"laws": (Law("l", 3, len),)}, "law 'l': its 'left' is of type int, which nobody can"),
        ({"events": (replace(ON_T, sentence=None),)},
         "event 'e': its 'sentence' is of type NoneType"),
        ({"events": (ON_T,)}, "event 'e' is on tracks of 't', which are not declared"),
        ({"tracks": (T,), "events": (replace(ON_T, label="g"),)},
         "event 'e' is shown by 'g', which is none of its fields"),
        ({"tracks": (replace(T, parent="u"),)},
         "tracks of 't' are part of 'u', which is not declared"),
        ({"tracks": (T,), "sums": (Sum("s", "e", COUNT, len),)},
         "sum 's' is of event 'e', which is not declared"),
        ({"tracks": (T,), "events": (ON_T,), "sums": (Sum("s", "e", CYCLES, len),)},
         "sum 's' is of cycles, which 'e' does not last"),
        ({"tracks": (T,), "events": (ON_T,), "sums": (Sum("s", "e", COUNT, len, by="g"),)},
         "sum 's' asks for 'g', which is no field of 'e'"),
        ({"headlines": (Headline("NO", len),)}, "a headline wants counter 'NO', which is not"),
        ({"tables": (Table("t", "no", ()),)}, "a table is by column 'no', which is not declared"),
    ],
)  # fmt: skip
def test_words_that_cannot_be(words: dict[str, object], said: str):
    declared = {"whole": lambda run: run.cycles, "reasons": (Reason("idle", "Nothing."),)}
    assert Vocabulary(**declared, counters=(FINE,))
    with pytest.raises(ValueError) as raised:
        Vocabulary(**{**declared, **words})
    assert said in str(raised.value)


def test_the_version_is_that_of_the_newest_word():
    later = EPIC.version + 2
    counter, reason = Counter("NEW", "events", "New.", lambda s: 1), Reason("new", "New.")
    for words in (
        {"counters": (*EPIC.counters, replace(counter, since=later))},
        {"reasons": (*EPIC.reasons, replace(reason, since=later))},
    ):
        assert replace(EPIC, **words).version == later


def test_events_of_the_stall_order_are_counted():
    declared = {counter.name for counter in EPIC.counters}
    assert declared >= EVENTS.keys()
    assert {reason.name for reason in EPIC.reasons} == {"issuing", *(c.name for c in CAUSES)}
    with pytest.raises(InputError) as raised:
        load_machine("itanium2", ["stall_order.load=BE_EXE_BUBBLE.GRGRR"])
    assert "no counter is named 'BE_EXE_BUBBLE.GRGRR'" in str(raised.value)
    assert "BE_EXE_BUBBLE.GRGR" in str(raised.value).partition("hint:")[2]


# ---- Laws ---------------------------------------------------------------------------------------


def test_a_breakdown_that_is_not_the_whole(outcome: Outcome):
    longer = {**outcome.breakdown, "load": outcome.breakdown["load"] + 1}
    whole = outcome.cycles
    with pytest.raises(LawBroken, match=f"^breakdown = whole: {whole + 1} is not {whole}$"):
        check_outcome(replace(EPIC, in_whole=False), replace(outcome, breakdown=longer))


@pytest.mark.parametrize("by", [-10_000, 0.5])
def test_a_share_that_is_no_count(outcome: Outcome, by: float):
    """Although the breakdown adds up."""
    said = outcome.breakdown
    load = said["load"] + by
    moved = {**said, "load": load, "issuing": said["issuing"] - int(by)}
    if by != int(by):
        moved["float"] = said["float"] - by
    with pytest.raises(LawBroken, match=rf"not negative: \[\('load', {load}\)"):
        check_outcome(replace(EPIC, in_whole=False), replace(outcome, breakdown=moved))


def test_a_lost_cycle_that_no_instruction_lost(outcome: Outcome):
    stalls = outcome.stalls.copy()
    lost = list(outcome.causes).index("instruction_miss")
    stalls[stalls[:, lost].argmax(), lost] -= 1
    with pytest.raises(LawBroken, match=r"^lost by instructions = lost \(instruction_miss\): "):
        check_outcome(EPIC, replace(outcome, stalls=stalls))
    check_outcome(replace(EPIC, in_whole=False), replace(outcome, stalls=stalls))


def test_a_reason_that_nobody_declared(outcome: Outcome):
    said = {"idle" if name == "load" else name: n for name, n in outcome.breakdown.items()}
    with pytest.raises(LawBroken, match=r"^reasons said = reasons declared: \['idle'\] is not "):
        check_outcome(EPIC, replace(outcome, breakdown=said))


def test_a_law_of_a_kind():
    law = Law("in = out", lambda s: s.came, lambda s: {"L1": 4, "L2": 2})
    check_laws([law], SimpleNamespace(came={"L2": 2, "L1": 4}))
    with pytest.raises(LawBroken, match=r"^in = out \(L2\): 3 is not 2$"):
        check_laws([law], SimpleNamespace(came={"L1": 4, "L2": 3}))
    with pytest.raises(LawBroken, match=r"^in = out \(L2\): None is not 2$"):
        check_laws([law], SimpleNamespace(came={"L1": 4}))
    with pytest.raises(LawBroken, match=r"^in = out: a side of a law is a number, not an array"):
        check_laws([law], SimpleNamespace(came=np.array([4, 2])))


@pytest.mark.parametrize("vocabulary", [EPIC, SIMT], ids=["epic", "simt"])
def test_every_law_of_a_kind_has_a_name_of_its_own(vocabulary: Vocabulary):
    names = [law.name for law in vocabulary.laws]
    assert len(set(names)) == len(names) >= 7


def test_laws_are_checked_where_cores_run(outcome: Outcome, monkeypatch: pytest.MonkeyPatch):
    """Not by the cores: one that contradicts itself is caught whatever its kind."""
    machine = load_machine("itanium2")

    def run(request: Request) -> Running:
        yield None
        return replace(outcome, breakdown={"issuing": 1})

    wrong = Core(run, model=1)
    monkeypatch.setattr("sim.cores.epic.run.CORE", wrong)
    assert core_of(machine) is wrong
    with pytest.raises(LawBroken, match=r"^breakdown = whole: 1 is not "):
        simulate(Request(None, machine, Memory([])))
