"""Points that a study means to be refused end well if they are, and only then."""

from __future__ import annotations

import pytest

AXES = "\n  l2: {set: memory.l2.latency, values: [5 cycles, 99 cycles]}"


@pytest.mark.parametrize(
    "condition, code, said",
    [
        (None, 1, "refused at l2=99 cycles:"),
        ("l2 > 50", 0, None),
        ("[l2 > 70, l2 == 99]", 0, None),
        ("l2 > 1", 1, "it ran, and 'refused' of the study says that it is refused"),
        ("l2 < 9", 1, "refused at l2=99 cycles:"),
    ],
)
def test_what_a_study_expects(condition, code, said, studied, simrun, in_this_process):
    study = studied(AXES, **({"refused": f"{condition}"} if condition else {}))
    ended = simrun("study", str(study.path))
    assert ended.code == code, ended.out + ended.err
    assert "99 cycles" in ended.out and (said is None or said in ended.out)
    assert said is not None or "refused at" not in ended.out


@pytest.mark.parametrize("condition", ["l9 > 1", "l2 +", "l2 + 1"])
def test_a_condition_that_is_none_is_refused(condition, studied, simrun, in_this_process):
    study = studied(AXES, refused=f'"{condition}"')
    ended = simrun("study", str(study.path))
    assert ended.code == 2 and "study.yaml:" in ended.err
