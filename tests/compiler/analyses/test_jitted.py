"""Kernels give the same as plain Python and compiled, and are compiled only when they are large."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

from compiler.analyses.jitted import Kernel
from machines.cache import compile_times, compiled_cache
from tests.compiler.analyses import kernel_of_tests
from tests.compiler.analyses.kernel_of_tests import runs_and_counts

VALUES = [3, 3, 9, 1, 1, 1, 2, 9, 9, 5]
FOUND = ([0, 2, 3, 6, 7, 9], [1, 2, 0, 1, 0, 0, 0, 3])


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SIMRUN_CACHE", str(tmp_path))
    return tmp_path


def test_both_ways_give_the_same(cache, monkeypatch, capsys):
    monkeypatch.setattr(compile_times, "SHORT", 0.0)
    kernel = Kernel("test", runs_and_counts, at_least=len(VALUES))
    assert kernel(len(VALUES) - 1, VALUES) == FOUND
    assert not [*cache.iterdir()] and not capsys.readouterr().err

    compiled = kernel(len(VALUES), VALUES)
    assert tuple(part.tolist() for part in compiled) == FOUND
    assert "simrun: compiling the test analysis (once per version, " in capsys.readouterr().err
    assert len([*cache.glob("__pycache__/analysis_test_*.nbc")]) == 1  # of the entry alone
    assert tuple(part.tolist() for part in kernel(99, VALUES)) == FOUND
    assert not capsys.readouterr().err


def test_damaged_code_is_made_anew(cache, monkeypatch):
    Kernel("test", runs_and_counts, at_least=0)(0, VALUES)
    (code,) = cache.glob("__pycache__/analysis_test_*.nbc")
    code.write_bytes(code.read_bytes()[:100])
    monkeypatch.setattr(compiled_cache, "_ready", set())
    found = Kernel("test", runs_and_counts, at_least=0)(0, VALUES)
    assert tuple(part.tolist() for part in found) == FOUND
    assert code.stat().st_size > 100


def test_the_text_is_all_of_the_files_and_a_name_defined_twice_is_refused():
    other = ModuleType("other")
    other.__file__ = kernel_of_tests.__file__
    text = Kernel("test", runs_and_counts, at_least=0).text
    assert text.count("@entered") == 1 and text.count("@compiled") == 5
    assert "LEAST, MOST = " in text and "import Integers" not in text
    with pytest.raises(ValueError, match="defined twice"):
        Kernel("test", runs_and_counts, at_least=0, uses=(kernel_of_tests,)).text  # noqa: B018


def test_small_functions_wait_for_no_compiler():
    """Numba is not imported."""
    program = (
        "import sys; from compiler.analyses.jitted import Kernel;"
        "from tests.compiler.analyses.kernel_of_tests import runs_and_counts;"
        "Kernel('test', runs_and_counts, at_least=5)(4, [1, 2, 2, 1]);"
        "print('numba' in sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ended.stdout == "False\n", ended.stderr


STRICT = """
from compiler.analyses import jitted

class Strict(list):
    def __getitem__(self, index):
        assert isinstance(index, slice) or index >= 0
        return super().__getitem__(index)

    def __setitem__(self, index, value):
        assert index >= 0
        super().__setitem__(index, value)

jitted.zeros = lambda count: Strict([0] * count)
jitted.filled = lambda count, value: Strict([value] * count)
jitted.longer = lambda items, count: Strict([*items, *[0] * (count - len(items))])
jitted.shorter = lambda items, count: Strict(list(items)[:count])
jitted.Kernel.__call__ = lambda kernel, size, *given: kernel.entry(
    *(Strict(some) if hasattr(some, "__len__") else some for some in given)
)

from compiler.analyses.chains import chains
from compiler.analyses.ssa.reaching_definitions import reaching_definitions
from tests.compiler.analyses.test_memory_kernels import SEEDS, MemoryOptions, programs, result
from tests.programs.random_programs import Options, generate

for function in programs(2):
    for options in (MemoryOptions(), *SEEDS):
        result(function, options)
for seed in range(3):
    function = generate(seed, Options(unassigned=True)).function
    assert chains(function).defs == reaching_definitions(function).defs
print("done")
"""


def test_no_index_of_a_kernel_is_negative():
    """Lists would count from their end, compiled code would read somewhere."""
    ended = subprocess.run([sys.executable, "-c", STRICT], capture_output=True, text=True)
    assert ended.stdout == "done\n", ended.stderr
