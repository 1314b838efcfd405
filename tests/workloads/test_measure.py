"""What is launched on a real GPU is what is simulated: addresses, names of kernels in the PTX, and
figures from what the clock says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from sim.cli import simrun
from sim.cores.simt.host_steps import Launch
from sim.validation.benchmarks import read_suite
from sim.validation.measured import read_measured
from workloads.validation import measure

FOLDER = Path(measure.__file__).parent
MEGAHERTZ = 1500
EMPTY = 0.002


class Device:
    """A driver whose GPU does nothing but tell the time: launches take 0.002 ms, 0.003 ms, … ."""

    broken: tuple[str, ...] = ()
    renewed = 0

    def __init__(self):
        self.memory: dict[int, bytearray] = {}
        self.loaded: list[str] = []
        self.launched: list[Launch] = []
        self.events = 0
        self.found = 0x7F00_0000_0000

    def call(self, name, *_):
        assert name.startswith("cu")

    def describe(self):
        return {"device": "none"}

    def attribute(self, number):
        return 3

    def upload(self, data):
        self.found += 1 << 32
        self.memory[self.found] = bytearray(data)
        return self.found

    def write(self, address, data):
        self.memory[address][: len(data)] = data

    def download(self, address, size):
        if size == 16:  # what `spin` leaves
            return MEGAHERTZ.to_bytes(8, "little") + (1000).to_bytes(8, "little")
        return bytes(self.memory[address][:size])

    def free(self, address):
        del self.memory[address]

    def module(self, ptx):
        self.loaded.append(ptx.read_text())
        return len(self.loaded) - 1

    def variable(self, module, name):
        assert f" {name}[" in self.loaded[module]
        return self.upload(bytes(1 << 16))

    def renew(self):
        self.memory.clear()
        self.renewed += 1

    def launch(self, module, step):
        if step.kernel in self.broken:
            raise measure.CudaError("cuLaunchKernel: an illegal memory access was encountered")
        assert f".entry {step.kernel}(" in self.loaded[module]
        if step.kernel not in ("spin", "nothing"):
            self.launched.append(step)

    def event(self):
        return None

    def milliseconds(self, begin, end):
        self.events += 1
        empty = self.events <= 1 + measure.EMPTY_LAUNCHES
        return EMPTY if empty else EMPTY + 0.001 * (1 + self.events % 2)


def measured(folder, *names):
    device = Device()
    chosen = [one for one in read_suite(folder).benchmarks if one.name in names]
    assert len(chosen) == len(names)
    *_, content = measure.measure(device, chosen)
    return content, device


def test_a_kernel_is_timed_less_an_empty_one_and_counted_in_cycles_of_the_measured_clock():
    content, device = measured(FOLDER, "atomic_same")
    one = content["benchmarks"]["atomic_same"]
    assert content["empty_launch_us"] == pytest.approx(1e3 * EMPTY)
    assert one["clock_mhz"] == MEGAHERTZ and len(one["runs"]) == measure.RUNS
    cycles = [1.5e6 * 0.001 * k / 65536 for k in (1, 2)]
    assert sorted(set(one["runs"])) == pytest.approx(cycles)
    assert one["value"] == pytest.approx(sum(cycles) / 2)
    assert len(device.launched) == 1 + measure.RUNS


def test_launches_get_addresses_on_the_device_and_leave_it_empty():
    _, device = measured(FOLDER / "kernels", "saxpy_1M")
    step = device.launched[0]
    assert step.grid.blocks == (4096, 1, 1) and step.grid.threads == (256, 1, 1)
    places = {int.from_bytes(step.parameters[at : at + 8], "little") for at in (8, 16)}
    assert len(places) == 2 and all(place > 0x7F00_0000_0000 for place in places)
    assert len(device.launched) == 2 * (1 + measure.RUNS)
    assert len(device.memory) == 1  # what `spin` writes to


def test_names_are_those_of_the_ptx_and_variables_are_filled():
    content, device = measured(FOLDER / "kernels", "convolution_9x9_1024")
    assert {step.kernel for step in device.launched} == {"_Z8convolvePKfPfiii"}
    filled = [data for data in device.memory.values() if len(data) == 1 << 16]
    assert filled and all(any(data) for data in filled)
    assert set(content["benchmarks"]["convolution_9x9_1024"]["outputs"]) == {
        "image", "result", "weights",
    }  # fmt: skip


@pytest.mark.parametrize(("folder", "device"), [
    (FOLDER, "h200"), (FOLDER, "h100"), (FOLDER / "kernels", "h200"), (FOLDER / "kernels", "h100"),
    (FOLDER / "probes", "h100"),
])  # fmt: skip
def test_what_was_measured_is_there_for_every_benchmark(folder, device):
    figures = read_measured(folder / f"{device}.json")
    assert list(figures) == [one.name for one in read_suite(folder).benchmarks]


@pytest.mark.parametrize(("file", "folder", "said"), [
    ("new.json", "nowhere", "nowhere"),
    ("new.json", str(FOLDER / "latency"), "benchmarks.yaml"),
    ("nowhere/new.json", str(FOLDER / "kernels"), "nowhere"),
])  # fmt: skip
def test_what_cannot_be_measured_is_said(file, folder, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(measure, "Driver", Device)
    monkeypatch.setattr("sys.argv", ["measure", file, folder])
    assert measure.main() == 2
    error = capsys.readouterr().err
    assert error.count("error: ") == 1 and said in error and not list(tmp_path.iterdir())


ONE_BREAKS = """
two.yaml:
  short: {value: kernel}
  odd: {value: kernel}
  long: {value: kernel, unit: us}
"""
TWO_KERNELS = """
workload: two
program: two.ptx
machine: h100
variants:
  short: {launches: [{kernel: brief, grid: [1], block: [32]}]}
  odd: {launches: [{kernel: wrong, grid: [1], block: [32]}]}
  long: {launches: [{kernel: brief, grid: [1], block: [32]}]}
"""
PTX = """
.version 8.0
.target sm_90
.address_size 64
.visible .entry brief() { ret; }
.visible .entry wrong() { ret; }
"""


@pytest.fixture
def three(tmp_path, monkeypatch):
    """A folder of three benchmarks of which the second fails on the device."""
    (tmp_path / "benchmarks.yaml").write_text(ONE_BREAKS)
    (tmp_path / "two.yaml").write_text(TWO_KERNELS)
    (tmp_path / "two.ptx").write_text(PTX)
    monkeypatch.setattr(Device, "broken", ("wrong",))
    monkeypatch.setattr(measure, "Driver", Device)
    monkeypatch.setattr("sys.argv", ["measure", str(tmp_path / "new.json"), str(tmp_path)])
    return tmp_path


def test_one_that_fails_costs_no_other_and_is_named(three, capsys):
    assert measure.main() == 1
    content = json.loads((three / "new.json").read_text())
    assert list(content["benchmarks"]) == ["short", "long"] and content["complete"]
    assert list(content["failed"]) == ["odd"] and "illegal memory" in content["failed"]["odd"]
    error = capsys.readouterr().err
    assert error.count("error: ") == 1 and "odd was not measured: cuLaunchKernel" in error
    assert list(read_measured(three / "new.json")) == ["short", "long"]


def test_the_file_is_written_after_each_and_the_context_made_anew(three):
    device = Device()
    contents = measure.measure(device, read_suite(three).benchmarks)
    first = next(contents)
    assert list(first["benchmarks"]) == ["short"] and not first["complete"]
    assert device.renewed == 0
    second = next(contents)
    assert list(second["benchmarks"]) == ["short"] and list(second["failed"]) == ["odd"]
    assert device.renewed == 0
    third = next(contents)
    assert device.renewed == 1
    assert list(third["benchmarks"]) == ["short", "long"] and third["complete"]


def test_what_ends_it_all_leaves_what_was_measured(three, monkeypatch, capsys):

    def gone(self):
        raise measure.CudaError("cuDevicePrimaryCtxReset_v2: no device")

    monkeypatch.setattr(Device, "renew", gone)
    assert measure.main() == 2
    content = json.loads((three / "new.json").read_text())
    assert list(content["benchmarks"]) == ["short"] and not content["complete"]
    assert list(content["failed"]) == ["odd"]
    error = capsys.readouterr().err
    assert "no device" in error and "has the 1 before that" in error


@pytest.mark.campaign
def test_simulated_arrays_are_compared_with_those_measured():
    """What approximations leave is the same, and what integers leave."""
    measured_there = FOLDER / "kernels" / "h200.json"
    words = ["validate", str(FOLDER / "kernels"), "--against", str(measured_there)]
    only = ["--only", "nbody_4224", "--only", "histogram_of_16"]
    printed = CliRunner().invoke(simrun, [*words, *only], catch_exceptions=False).output
    assert "nbody_4224" in printed and "histogram_of_16" in printed
    assert "arrays that are not those measured" not in printed
