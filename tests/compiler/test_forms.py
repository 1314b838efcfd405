"""Every form of code has a language: what is printed is read back, and means the same."""

from __future__ import annotations

import pytest

from tests.campaign.seeds import short_form
from tests.compiler.forms import again_from_text, again_through_every_text, compiled_for

TWELVE = [
    ("workloads/loops/whiles/collatz.yaml", "itanium2"),
    ("workloads/gpu/reduction/workload.yaml", "h200"),
    ("workloads/quicksort/workload.yaml", "itanium"),
    ("workloads/fft/workload.yaml", "itanium2"),
    ("workloads/sha256/workload.yaml", "epic3"),
    ("workloads/mandelbrot/workload.yaml", "itanium2"),
    ("workloads/levenshtein/workload.yaml", "itanium2"),
    ("workloads/loops/livermore/k18.yaml", "itanium2"),
    ("workloads/gpu/interpreter/workload.yaml", "teaching_gpu"),
    ("workloads/gpu/sgemm/workload.yaml", "h100"),
    ("workloads/gpu/frontier/workload.yaml", "h200"),
    ("workloads/gpu/exception/workload.yaml", "h200"),
]


@pytest.mark.parametrize("case", short_form(TWELVE, 2))
def test_code_goes_through_its_text_after_every_pass(case: tuple[str, str]):
    compiled = compiled_for(*case)
    wanted = compiled.compilation.program.content_hash
    assert again_through_every_text(compiled).content_hash == wanted


@pytest.mark.parametrize("case", short_form(TWELVE, 4))
def test_machine_code_in_the_last_form_is_read_back(case: tuple[str, str]):
    compiled = compiled_for(*case)
    assert again_from_text(compiled).content_hash == compiled.compilation.program.content_hash
