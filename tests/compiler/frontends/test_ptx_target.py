"""Code for a target runs on machines whose compute capability has it, and is refused elsewhere."""

from __future__ import annotations

import pytest

from compiler import compile
from machines.description.load import load_machine
from machines.diagnostics import InputError

pytestmark = pytest.mark.quick

TEXT = """\
.version 8.6
.target {target}
.address_size 64
.visible .entry k() {{ ret; }}
"""
TARGETS = {  # the compute capabilities, of those below, on which its code runs
    "sm_50": (7.0, 8.0, 8.6, 8.9, 9.0, 10.0, 10.3, 12.0),
    "sm_70": (7.0, 8.0, 8.6, 8.9, 9.0, 10.0, 10.3, 12.0),
    "sm_75, debug": (8.0, 8.6, 8.9, 9.0, 10.0, 10.3, 12.0),
    "sm_86": (8.6, 8.9, 9.0, 10.0, 10.3, 12.0),
    "sm_89": (8.9, 9.0, 10.0, 10.3, 12.0),
    "sm_89a": (8.9,),
    "sm_90": (9.0, 10.0, 10.3, 12.0),
    "sm_90a": (9.0,),
    "sm_100": (10.0, 10.3, 12.0),
    "sm_100f": (10.0, 10.3),
    "sm_100a": (10.0,),
    "sm_103f": (10.3,),
    "sm_103a": (10.3,),
    "sm_120a": (12.0,),
    "sm_121": (),
}
CAPABILITIES = (7.0, 8.0, 8.6, 8.9, 9.0, 10.0, 10.3, 12.0)


def read(target: str, machine: str, *settings: str):
    described = load_machine(machine, settings)
    return compile("k.ptx", source=TEXT.format(target=target), machine=described)


@pytest.mark.parametrize("target", TARGETS)
def test_code_runs_on_its_targets(target: str):
    for capability in CAPABILITIES:
        setting = f"compute_capability={capability}"
        if capability in TARGETS[target]:
            assert read(target, "teaching_gpu", setting).program.kernels
            continue
        with pytest.raises(InputError) as caught:
            read(target, "teaching_gpu", setting)
        [found] = caught.value.diagnostics
        location = found.location
        assert (location.line, location.column) == (2, 9)
        assert location.length == len(target.split(",")[0])
        assert f"'teaching_gpu' has {capability}" in found.message


@pytest.mark.parametrize(
    "target, machine, message, hint",
    [
        ("sm_90", "a100", "code for sm_90 runs on compute capability 9.0 or later, and 'a100' has "
         "8.0", "compile for sm_80, or take the machine for one that has it: "
         "--set compute_capability=9.0"),
        ("sm_80", "v100", "code for sm_80 runs on compute capability 8.0 or later, and 'v100' has "
         "7.0", "compile for sm_70"),
        ("sm_90a", "v100", "code for sm_90a runs on compute capability 9.0 alone, and", "sm_70"),
        ("sm_80a", "h200", "code for sm_80a runs on compute capability 8.0 alone, and 'h200' has "
         "9.0", "compile for sm_90"),
        ("sm_90", "rtx4090", "9.0 or later, and 'rtx4090' has 8.9", "compile for sm_89"),
        ("sm_100f", "rtx_pro_6000", "10.0 or later of that family", "compile for sm_120"),
        ("sm_100f", "h100", "10.0 or later of that family, and 'h100' has 9.0", "sm_90"),
    ],
)  # fmt: skip
def test_who_does_not_run_it_says_why(target: str, machine: str, message: str, hint: str):
    with pytest.raises(InputError) as caught:
        read(target, machine)
    [found] = caught.value.diagnostics
    assert message in found.message and hint in found.hint


def test_a_machine_may_be_taken_for_another():
    assert read("sm_90", "a100", "compute_capability=9.0").program.kernels


def test_who_says_nothing_runs_all():
    for target in TARGETS:
        assert read(target, "teaching_gpu").program.kernels
