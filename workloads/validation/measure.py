"""Runs benchmarks on a real GPU and writes what it measured as one JSON file.

    python -m workloads.validation.measure h200.json     # on a machine with an NVIDIA GPU
    simrun validate workloads/validation --against h200.json
    python -m workloads.validation.measure kernels.json workloads/validation/kernels

It loads the same PTX, makes the same inputs and launches the same grids as `simrun` does for the
workloads of the folder, through the CUDA driver's own interface (libcuda), so nothing is compiled.
Every benchmark runs RUNS times after one run to warm up; the file keeps every run and the median,
the device, its clocks and the driver's version, and a digest of what each array held at the end.
It is written anew after each benchmark.  One that fails is named under `failed`, with the reason,
and costs no other: the GPU's context is made anew after it.  `complete` says that all had their
turn.

A launch is timed by events around it, less what a launch of an empty kernel takes between them.
Before each benchmark the GPU works for a while, so that it is awake, and its clock is measured:
`clock_mhz`, which is what cycles of kernels are counted in.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from machines.cache.files import write_atomically
from machines.diagnostics import InputError
from machines.threads.grid import Grid
from sim.cores.simt.host_steps import Launch
from sim.prepared_case import PreparedCase, prepare
from sim.runner import compile_workload
from sim.validation.benchmarks import CLOCK_ARRAY, Benchmark, read_suite
from sim.validation.measured import digest_of
from sim.workload.schema import read_workload

FOLDER = Path(__file__).parent
CLOCK = FOLDER / "clock.ptx"
RUNS = 10
AWAKE = 20_000_000
"""Nanoseconds that the GPU works before a benchmark."""
AHEAD = 100_000
"""Nanoseconds that it works while the host hands it a launch."""
EMPTY_LAUNCHES = 50
CLOCK_RATE, MULTIPROCESSORS, MEMORY_CLOCK_RATE = 13, 16, 36
"""Attributes of a device, by CUDA's numbers (CUdevice_attribute); the clocks are in kHz."""


class CudaError(RuntimeError):
    """Nothing can be measured: a call of the driver failed, or there is none."""


class Driver:
    """The few calls of libcuda that are needed; raises CudaError where one fails."""

    def __init__(self):
        try:
            self.library = ctypes.CDLL("libcuda.so.1")
        except OSError:
            raise CudaError("there is no NVIDIA driver here (libcuda.so.1)") from None
        self.call("cuInit", 0)
        self.device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(self.device), 0)
        self._enter()

    def _enter(self) -> None:
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        self.call("cuCtxSetCurrent", context)

    def renew(self) -> None:
        """A context as new: one in which a kernel failed answers every call with that failure.
        What was uploaded and loaded is gone."""
        self.call("cuDevicePrimaryCtxReset_v2", self.device)
        self._enter()

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function of the driver."""
        status = getattr(self.library, name)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self.library.cuGetErrorString(status, ctypes.byref(text))
            raise CudaError(f"{name}: {(text.value or b'error').decode()}")

    def describe(self) -> dict[str, Any]:
        """The device, its clocks, and the driver."""
        name, version = ctypes.create_string_buffer(256), ctypes.c_int()
        self.call("cuDeviceGetName", name, 256, self.device)
        self.call("cuDriverGetVersion", ctypes.byref(version))
        return {
            "device": name.value.decode(),
            "driver": version.value,
            "clock_khz": self.attribute(CLOCK_RATE),
            "memory_clock_khz": self.attribute(MEMORY_CLOCK_RATE),
            "multiprocessors": self.attribute(MULTIPROCESSORS),
        }

    def attribute(self, number: int) -> int:
        value = ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(value), number, self.device)
        return value.value

    def upload(self, data: bytes) -> int:
        """The device address of a copy of `data`."""
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(1, len(data))))
        self.write(address.value, data)
        return address.value

    def write(self, address: int, data: bytes) -> None:
        self.call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), data, ctypes.c_size_t(len(data)))

    def download(self, address: int, size: int) -> bytes:
        data = ctypes.create_string_buffer(size)
        self.call("cuMemcpyDtoH_v2", data, ctypes.c_uint64(address), ctypes.c_size_t(size))
        return data.raw

    def free(self, address: int) -> None:
        self.call("cuMemFree_v2", ctypes.c_uint64(address))

    def module(self, ptx: Path) -> ctypes.c_void_p:
        """The PTX, compiled by the driver."""
        module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), ptx.read_bytes() + b"\0")
        return module

    def variable(self, module: ctypes.c_void_p, name: str) -> int:
        """The address of a variable of a module."""
        address, size = ctypes.c_uint64(), ctypes.c_size_t()
        self.call(
            "cuModuleGetGlobal_v2", ctypes.byref(address), ctypes.byref(size), module,
            name.encode(),
        )  # fmt: skip
        return address.value

    def launch(self, module: ctypes.c_void_p, step: Launch) -> None:
        """Launch a kernel and go on."""
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, step.kernel.encode())
        parameters = step.parameters
        data, size = ctypes.create_string_buffer(parameters), ctypes.c_size_t(len(parameters))
        extra = (ctypes.c_void_p * 5)(  # CU_LAUNCH_PARAM_BUFFER_POINTER, _SIZE, _END
            1, ctypes.cast(data, ctypes.c_void_p), 2,
            ctypes.cast(ctypes.byref(size), ctypes.c_void_p), 0,
        )  # fmt: skip
        self.call(
            "cuLaunchKernel", function, *step.grid.blocks, *step.grid.threads,
            step.grid.dynamic_shared, None, None, extra,
        )  # fmt: skip

    def event(self) -> ctypes.c_void_p:
        event = ctypes.c_void_p()
        self.call("cuEventCreate", ctypes.byref(event), 0)
        return event

    def milliseconds(self, begin: ctypes.c_void_p, end: ctypes.c_void_p) -> float:
        """Between two events, once both have been."""
        self.call("cuEventSynchronize", end)
        milliseconds = ctypes.c_float()
        self.call("cuEventElapsedTime", ctypes.byref(milliseconds), begin, end)
        for event in (begin, end):
            self.call("cuEventDestroy_v2", event)
        return milliseconds.value


@dataclass(frozen=True)
class Run:
    """What one run left: its arrays, and the milliseconds of its last launch."""

    outputs: dict[str, np.ndarray]
    milliseconds: float


@dataclass(frozen=True)
class OnDevice:
    """The arrays of a workload on a GPU: addresses and bytes by name."""

    driver: Driver
    places: dict[str, tuple[int, int]]

    def address(self, array: str) -> int:
        return self.places[array][0]

    def clear(self, array: str) -> None:
        address, size = self.places[array]
        self.driver.write(address, bytes(size))

    def content(self, array: str) -> bytes:
        return self.driver.download(*self.places[array])

    def is_clear(self, array: str) -> bool:
        return not any(self.content(array))

    def digest(self, array: str) -> str:
        return hashlib.sha256(self.content(array)).hexdigest()


class Clock:
    """What cycles and milliseconds of a GPU mean.

    empty   milliseconds of a launch that does nothing
    """

    def __init__(self, driver: Driver):
        self.driver, self.module = driver, driver.module(CLOCK)
        self.elapsed = driver.upload(bytes(16))
        self.megahertz()
        nothing = Launch("nothing", Grid((1, 1, 1), (32, 1, 1)))
        times = [self.time(self.module, nothing) for _ in range(1 + EMPTY_LAUNCHES)]
        self.empty = statistics.median(times[1:])

    def spin(self, nanoseconds: int) -> None:
        """Keep all multiprocessors at work for some time."""
        parameters = nanoseconds.to_bytes(8, "little") + self.elapsed.to_bytes(8, "little")
        blocks = self.driver.attribute(MULTIPROCESSORS)
        grid = Grid((blocks, 1, 1), (128, 1, 1))
        self.driver.launch(self.module, Launch("spin", grid, parameters))

    def megahertz(self) -> float:
        """The clock, after some work on all multiprocessors."""
        self.spin(AWAKE)
        cycles, nanoseconds = np.frombuffer(self.driver.download(self.elapsed, 16), np.uint64)
        return float(cycles) / float(nanoseconds) * 1e3

    def time(self, module: ctypes.c_void_p, step: Launch) -> float:
        """Milliseconds of a launch.  The GPU is at work when it is given, so that it begins when
        the first event has been and waits for nothing that the host still does."""
        self.spin(AHEAD)
        begin, end = self.driver.event(), self.driver.event()
        self.driver.call("cuEventRecord", begin, None)
        self.driver.launch(module, step)
        self.driver.call("cuEventRecord", end, None)
        return self.driver.milliseconds(begin, end)


def run(driver: Driver, clock: Clock, module: ctypes.c_void_p, prepared: PreparedCase) -> Run:
    """Do the steps of a workload once, from its initial inputs."""
    arrays = {name: array for name, array in prepared.inputs.items() if array.ndim}
    variables = prepared.bound.variables
    own = [name for name in arrays if name not in variables]
    places = {name: (driver.upload(arrays[name].tobytes()), arrays[name].nbytes) for name in own}
    for name, variable in variables.items():
        places[name] = (driver.variable(module, variable), arrays[name].nbytes)
        driver.write(places[name][0], arrays[name].tobytes())
    device, milliseconds = OnDevice(driver, places), 0.0
    for action in prepared.bound.plan.actions(device):
        if isinstance(action, Launch):
            milliseconds = clock.time(module, action)
    outputs = {
        name: np.frombuffer(device.content(name), array.dtype) for name, array in arrays.items()
    }
    for name in own:
        driver.free(device.address(name))
    return Run(outputs, milliseconds)


def measure_one(driver: Driver, clock: Clock, benchmark: Benchmark) -> dict[str, Any]:
    """The median, all runs, and what came out."""
    workload = read_workload(benchmark.workload)
    prepared = prepare(compile_workload(workload), workload.case(benchmark.name))
    module = driver.module(workload.program)
    megahertz, figures = clock.megahertz(), []
    for _ in range(1 + RUNS):
        done = run(driver, clock, module, prepared)
        if benchmark.form.value == "clock":
            cycles = float(done.outputs[CLOCK_ARRAY][0])
        else:
            cycles = (done.milliseconds - clock.empty) * 1e3 * megahertz
        figures.append(benchmark.form.figure(cycles, megahertz * 1e6))
    driver.call("cuModuleUnload", module)
    return {
        "value": statistics.median(figures[1:]),
        "unit": benchmark.form.unit,
        "clock_mhz": megahertz,
        "runs": figures[1:],
        "outputs": {name: digest_of(array) for name, array in done.outputs.items()},
    }


def measure(driver: Driver, benchmarks: Sequence[Benchmark]) -> Iterator[dict[str, Any]]:
    """Yields the content of the file after each benchmark: the device, figures by name, and why
    there is none of those that failed."""
    clock, found, failed = Clock(driver), {}, {}
    content = {**driver.describe(), "empty_launch_us": clock.empty * 1e3, "complete": False}
    for number, benchmark in enumerate(benchmarks, 1):
        if clock is None:
            driver.renew()
            clock = Clock(driver)
        try:
            one = found[benchmark.name] = measure_one(driver, clock, benchmark)
            print(f"{benchmark.name:24} {one['value']:12.3f} {one['unit']}", flush=True)
        except (CudaError, InputError, OSError, MemoryError) as error:
            failed[benchmark.name] = str(error) or type(error).__name__
            print(f"{benchmark.name:24} failed: {failed[benchmark.name]}", flush=True)
            clock = None
        content |= {"complete": number == len(benchmarks)}
        yield {**content, "benchmarks": found, "failed": failed}


def main() -> int:
    if len(sys.argv) not in (2, 3):
        print("usage: python -m workloads.validation.measure FILE.json [FOLDER]", file=sys.stderr)
        return 2
    file, folder = Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) == 3 else FOLDER
    content: dict[str, Any] = {}
    try:
        benchmarks = read_suite(folder).benchmarks
        if not file.parent.is_dir():  # before the minutes that measuring takes
            raise OSError(f"there is no folder {file.parent}")
        for content in measure(Driver(), benchmarks):
            write_atomically(file, json.dumps(content, indent=1) + "\n")
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    except (CudaError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        if content:
            print(f"{file} has the {len(content['benchmarks'])} before that", file=sys.stderr)
        return 2
    return _say_failed(content["failed"] if content else {})


def _say_failed(failed: Mapping[str, str]) -> int:
    """The exit code."""
    for name, reason in failed.items():
        print(f"error: {name} was not measured: {reason}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
