"""What kernels print: on the core and in the interpreter the same text, in one order; its fate
where the buffer is full; what of it is refused."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import compiler
import sim
from compiler.targets.simt.interpret import interpret, memory_for
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.kinds.simt import printing
from machines.layout import BASE
from machines.threads.grid import Grid
from sim.kinds.simt.printed_records import printed_by_kernels

FOLDER = Path(__file__).parents[2] / "compiler" / "frontends" / "ptx"
LIBRARY = ctypes.CDLL(None)
VALUES = np.arange(64, dtype=np.int32)
N, FACTOR = 40, 1.5


def workload(grid: int = 2, **more: object) -> dict:
    return {
        "workload": "print", "program": str(FOLDER / "print.ptx"), "entry": "prints",
        "machine": "teaching_gpu", "arguments": {"a": VALUES, "n": N, "f": FACTOR},
        "launch": {"grid": [grid], "block": [32]}, **more,
    }  # fmt: skip


def line(format: str, *values: object) -> str:
    room = ctypes.create_string_buffer(500)
    LIBRARY.snprintf(room, len(room), format.encode(), *values)
    return room.value.decode()


def of_a_thread(i: int) -> Iterator[str]:
    """What thread i of `prints` prints, by the C library."""
    a = int(VALUES[i])
    if a % 3 == 0:
        yield line(
            "%d: %5d %08.3f %lld %c %s\n", i, a, ctypes.c_double(FACTOR * a),
            ctypes.c_longlong(a << 40), ord("A") + a % 26, b"odd" if a & 1 else b"even",
        )  # fmt: skip
        yield line("[%s] %g\n", b"half", ctypes.c_double(a * 0.5))
    if i == 0:
        yield "100%\n"
    yield from (line("%d.%d %x\n", i, j, a) for j in range(a % 3))


EXPECTED = "".join(text for i in range(N) for text in of_a_thread(i))


def test_the_core_prints_by_block_and_thread():
    result = sim.run(workload(expect={"stdout": EXPECTED}))
    assert result.status == "done" and result.printed.text == EXPECTED
    assert result.to_dict()["stdout"] == EXPECTED


def test_another_text_is_wrong():
    result = sim.run(workload(expect={"stdout": EXPECTED.replace("[half] 1.5", "[half] 1.6")}))
    [check] = result.checks
    assert check.differing == 1 and check.expected == "[half] 1.6\n"


@pytest.mark.parametrize("backward", [False, True])
def test_the_interpreter_prints_the_same(backward: bool):
    machine = load_machine("teaching_gpu")
    program = compiler.compile(FOLDER / "print.ptx", machine=machine).program
    memory = memory_for(program, {"a": VALUES})
    for launch in range(2):
        grid = Grid((2, 1, 1), (32, 1, 1))
        outcome = interpret(
            program, machine.description, memory, "prints", grid, ["a", N, FACTOR],
            backward=backward, number=launch,
        )  # fmt: skip
        assert outcome.status == "done"
    assert printed_by_kernels(memory).text == 2 * EXPECTED


def test_launches_print_one_after_another():
    launch = {"kernel": "prints", "grid": [2], "block": [32], "arguments": ["a", "n", "f"]}
    given = {key: value for key, value in workload().items() if key not in ("launch", "entry")}
    assert sim.run({**given, "launches": [launch, launch]}).printed.text == 2 * EXPECTED


def test_what_has_no_room_is_counted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(printing, "ROOM", 200)
    printed = sim.run(workload()).printed
    lines = set(EXPECTED.splitlines())
    kept = printed.text.splitlines()
    assert 0 < len(kept) < 6 and set(kept) <= lines
    assert printed.lost > 1000


def test_a_text_that_is_nowhere():
    memory = memory_for(
        compiler.compile(FOLDER / "print.ptx", machine=load_machine("teaching_gpu")).program, {}
    )
    held = memory.view(printing.BUFFER)
    size = printing.record_bytes(0)
    record = np.array([size, 0, 5, 0, 0, 0, 0, 0, 0, 0], "<u4").tobytes()
    held[:8] = np.frombuffer(np.uint64(size).tobytes(), np.uint8)
    held[printing.RECORDS : printing.RECORDS + len(record)] = np.frombuffer(record, np.uint8)
    assert BASE > 5 and printed_by_kernels(memory).text == "(no text is at 0x5)"


def test_an_assertion_ends_with_its_text():
    result = sim.run(workload() | {"entry": "checks", "arguments": {"a": VALUES, "n": 20}})
    assert result.status == "fault"
    assert "assertion failed: 'a[threadIdx.x] < n'" in str(result.fault)
    assert ":25, in void checks(const int *, int)" in str(result.fault)


FORMAT = ".global .align 1 .b8 f[4] = {37, 100, 10, 0};"
CALL = """
.version 8.0
.target sm_70
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
{above}
.visible .entry k(.param .u64 p) {{
.reg .b64 %d<4>; .reg .b32 %r<3>;
ld.param.u64 %d1, [p];
{{ .param .b64 a0; .param .b64 a1; .param .b32 r0;
st.param.b64 [a0], {format};
st.param.b64 [a1], 0;
{call} }}
ret; }}
"""


@pytest.mark.parametrize(
    "above, format, call, message",
    [
        (FORMAT, "%d1", "call.uni (r0), vprintf, (a0, a1);", "its format is none of the file's"),
        (FORMAT, "f", "call.uni (r0), vprintf, (a0);", "takes a format and the address"),
    ],
)
def test_what_is_not_known_is_refused(above: str, format: str, call: str, message: str):
    text = CALL.format(above=above, format=format, call=call).lstrip()
    with pytest.raises(InputError, match=message):
        compiler.compile("k.ptx", source=text, machine=load_machine("teaching_gpu"))
