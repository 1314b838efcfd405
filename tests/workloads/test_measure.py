"""What is launched on a real GPU is what is simulated: addresses, names of kernels in the PTX, and
figures from what the clock says."""

from __future__ import annotations

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

    def launch(self, module, step):
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
    return measure.measure(device, chosen), device


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


@pytest.mark.campaign
def test_simulated_arrays_are_compared_with_those_measured():
    """What approximations leave is the same, and what integers leave."""
    measured_there = FOLDER / "kernels" / "h200.json"
    words = ["validate", str(FOLDER / "kernels"), "--against", str(measured_there)]
    only = ["--only", "nbody_4224", "--only", "histogram_of_16"]
    printed = CliRunner().invoke(simrun, [*words, *only], catch_exceptions=False).output
    assert "nbody_4224" in printed and "histogram_of_16" in printed
    assert "arrays that are not those measured" not in printed
