"""Runs the benchmarks on a real GPU and writes what it measured as one JSON file.

    python -m workloads.validation.measure h200.json     # on a machine with an NVIDIA GPU
    simrun validate workloads/validation --against h200.json

It loads the same PTX, makes the same inputs and launches the same grids as `simrun` does for the
workloads beside it, through the CUDA driver's own interface (libcuda), so nothing is compiled.
Every benchmark runs RUNS times after one run to warm up; the file keeps every run and the median,
the device, its clocks and the driver's version.
"""

from __future__ import annotations

import ctypes
import json
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from machines.description.load import load_machine
from sim.cores.simt.host_steps import Launch
from sim.prepared_case import prepare
from sim.runner import Launch as Prepared
from sim.runner import compile_workload
from sim.validation import CLOCK_ARRAY, Benchmark, read_benchmarks
from sim.workload.schema import read_workload

FOLDER = Path(__file__).parent
RUNS = 10
CLOCK_RATE, MULTIPROCESSORS, MEMORY_CLOCK_RATE = 13, 16, 36
"""Attributes of a device, by CUDA's numbers (CUdevice_attribute); the clocks are in kHz."""


class CudaError(RuntimeError):
    """A call of the driver failed."""


class Driver:
    """The few calls of libcuda that are needed; raises CudaError where one fails."""

    def __init__(self):
        try:
            self.library = ctypes.CDLL("libcuda.so.1")
        except OSError:
            raise CudaError("there is no NVIDIA driver here (libcuda.so.1)") from None
        self.call("cuInit", 0)
        self.device, self.context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(self.device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), self.device)
        self.call("cuCtxSetCurrent", self.context)

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

    def time(self, module: ctypes.c_void_p, step: Launch) -> float:
        """Milliseconds of a launch."""
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, step.kernel.encode())
        begin, end = ctypes.c_void_p(), ctypes.c_void_p()
        for event in (begin, end):
            self.call("cuEventCreate", ctypes.byref(event), 0)
        parameters = step.parameters
        data, size = ctypes.create_string_buffer(parameters), ctypes.c_size_t(len(parameters))
        extra = (ctypes.c_void_p * 5)(  # CU_LAUNCH_PARAM_BUFFER_POINTER, _SIZE, _END
            1, ctypes.cast(data, ctypes.c_void_p), 2,
            ctypes.cast(ctypes.byref(size), ctypes.c_void_p), 0,
        )  # fmt: skip
        self.call("cuEventRecord", begin, None)
        self.call(
            "cuLaunchKernel", function, *step.grid.blocks, *step.grid.threads,
            step.grid.dynamic_shared, None, None, extra,
        )  # fmt: skip
        self.call("cuEventRecord", end, None)
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
        self.driver.call("cuMemsetD8_v2", ctypes.c_uint64(address), 0, ctypes.c_size_t(size))

    def content(self, array: str) -> bytes:
        return self.driver.download(*self.places[array])


def run(driver: Driver, module: ctypes.c_void_p, prepared: Prepared) -> Run:
    """Do the steps of a workload once, from its initial inputs."""
    arrays = {name: array for name, array in prepared.inputs.items() if array.ndim}
    own = [name for name in arrays if name not in prepared.variables]
    places = {name: (driver.upload(arrays[name].tobytes()), arrays[name].nbytes) for name in own}
    for name, variable in prepared.variables.items():
        places[name] = (driver.variable(module, variable), arrays[name].nbytes)
        driver.write(places[name][0], arrays[name].tobytes())
    device, milliseconds = OnDevice(driver, places), 0.0
    for action in prepared.host.actions(device):
        if isinstance(action, Launch):
            milliseconds = driver.time(module, action)
    outputs = {
        name: np.frombuffer(device.content(name), array.dtype) for name, array in arrays.items()
    }
    for name in own:
        driver.free(device.address(name))
    return Run(outputs, milliseconds)


def measure(driver: Driver, benchmarks: list[Benchmark]) -> dict[str, Any]:
    """All benchmarks' runs and medians, by name."""
    description, found = driver.describe(), {}
    clock = 1000 * description["clock_khz"]
    machine = load_machine("h200")
    for benchmark in benchmarks:
        workload = read_workload(benchmark.workload)
        compiled = compile_workload(workload, machine.name)
        prepared = prepare(compiled, workload.case(benchmark.name))
        module = driver.module(workload.program)
        runs = []
        for _ in range(1 + RUNS):
            done = run(driver, module, prepared)
            is_clock = benchmark.form.value == "clock"
            cycles = done.outputs[CLOCK_ARRAY][0] if is_clock else done.milliseconds / 1e3 * clock
            runs.append(benchmark.form.figure(float(cycles), clock))
        driver.call("cuModuleUnload", module)
        found[benchmark.name] = {
            "value": statistics.median(runs[1:]),
            "unit": benchmark.form.unit,
            "runs": runs[1:],
        }
        print(f"{benchmark.name:24} {found[benchmark.name]['value']:12.3f} {benchmark.form.unit}")
    return {**description, "benchmarks": found}


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: python -m workloads.validation.measure FILE.json", file=sys.stderr)
        return 2
    try:
        content = measure(Driver(), read_benchmarks(FOLDER))
    except CudaError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    Path(sys.argv[1]).write_text(json.dumps(content, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
