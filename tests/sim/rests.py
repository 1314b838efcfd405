"""Workloads that rest several times, and what must hold of each point of rest.

A run that is kept there and taken up again ends with the same bytes as one that went through.  What
holds its state is then, attribute by attribute, what it was in the run that went on: a field that
nobody keeps is found as soon as it differs from what a new machine has.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from itertools import count
from math import inf
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, GeneratorType, MethodType
from typing import Any

import numpy as np
import simpy

import sim
from machines.description.strict_yaml import read_yaml_file
from sim.cores.machine_code import Function
from sim.prepared_case import prepare
from sim.runner import compile_workload, request_of, stopping
from sim.simulate import Simulation
from sim.workload.schema import workload_of

ROOT = Path(__file__).parents[2]
Content = dict[str, Any]


def workload(name: str, **more: Any) -> Content:
    """One of ours as a mapping, with other keys."""
    path = ROOT / "workloads" / name
    folder = path if path.suffix == "" else path.parent
    file = path / "workload.yaml" if path.suffix == "" else path
    content = read_yaml_file(file).plain()
    content.pop("variants", None)
    content["program"] = str(folder / content["program"])
    for argument in content.get("arguments", {}).values():
        if isinstance(argument, dict) and "file" in argument:
            argument["file"] = str(folder / argument["file"])
    return {**content, **more}


def with_tasks(name: str, tasks: int, type: str = "union4", **more: Any) -> Content:
    """One of ours for a chip whose program has the chip to itself, as launches and copies."""
    content = workload(name)
    arrays = [key for key, value in content["arguments"].items() if isinstance(value, dict)]
    launch = {"type": type, "dim": tasks}
    steps = [
        *({"copy": name, "to": "device"} for name in arrays[:-1]),
        launch,
        launch,
        {"copy": arrays[-1], "to": "host"},
    ]
    return {**content, "tasks": steps, **more}


def side_by_side() -> Content:
    """Tasks in two streams, of which one waits for a late arrival while the other rests."""
    launch = {"kernel": "early", "type": "union2", "dim": 4}
    late = {**launch, "kernel": "late", "stream": 1, "arrival": "90000 cycles"}
    steps = [launch, late, launch, {"copy": "y", "to": "host"}]
    steps.append({"copy": "v", "to": "host", "stream": 1})
    numbers = {"dtype": "f32", "shape": [1024], "random": {"seed": 1, "low": -1, "high": 1}}
    zeros = {"dtype": "f32", "shape": [1024], "value": 0}
    return {
        "workload": "side_by_side",
        "program": str(Path(__file__).parent / "side_by_side.sir"),
        "machine": "teaching_chip",
        "arguments": {"x": numbers, "y": zeros, "u": numbers, "v": zeros},
        "tasks": steps,
        "expect": {name: {"equals": f"concatenate({of}[512:], {of}[:512])"}
                   for name, of in (("y", "x"), ("v", "u"))},
    }  # fmt: skip


def late_product() -> Content:
    """The same of kernels that share a large chip."""
    content = workload("chip/tasks/mixed")
    early = {"kernel": "scale", "type": "block", "dim": 10, "arguments": {"first": 0}}
    late = {"kernel": "product", "type": "union2", "dim": 16, "stream": 1}
    rest = {"kernel": "scale", "type": "block", "dim": 6, "arguments": {"first": 10}}
    steps = [early, {**late, "arrival": "90000 cycles"}, rest, {"copy": "y", "to": "host"}]
    return {**content, "tasks": [*steps, {"copy": "c", "to": "host", "stream": 1}]}


def small_heat() -> Content:
    """Few steps of a small plate on a small GPU."""
    content = workload("gpu/heat")
    plate = {
        "first": {"dtype": "f32", "shape": [12, 16], "random": {"seed": 1, "low": 0, "high": 9}}
    }
    plate |= {"second": {"dtype": "f32", "shape": [12, 16], "value": 0}, "rows": 12, "columns": 16}
    arguments = {**content["arguments"], **plate, "steps": 3}
    return {**content, "machine": "teaching_gpu", "arguments": arguments}


def two_streams() -> Content:
    """A stream of a GPU that has ended long before the other."""
    content = workload("gpu/stencil")
    return {
        **content,
        "launches": [*content["launches"], {"copy": "grid", "to": "host", "stream": 1}],
    }


WORKLOADS = {
    "crc32": partial(workload, "crc32", calls=3),
    "saxpy": partial(
        workload, "saxpy", expect={}, calls=[{"arguments": {"n": 999}}, {"arguments": {"a": 1}}, {}]
    ),
    "quicksort": partial(workload, "quicksort", calls=2),
    "sieve": partial(workload, "sieve", calls=2, machine="itanium"),
    "levenshtein": partial(workload, "levenshtein", calls=2, machine="epic3"),
    "hand_tuned_copy": partial(workload, "hand_tuned/copy", calls=4),
    "gpu_bfs": partial(workload, "gpu/bfs"),
    "gpu_heat": partial(workload, "gpu/heat", machine="h100"),
    "gpu_small_heat": small_heat,
    "gpu_scan": partial(workload, "gpu/scan", machine="h200"),
    "gpu_stencil": partial(workload, "gpu/stencil", machine="h100"),
    "gpu_reduction": partial(workload, "gpu/reduction"),
    "gpu_frontier": partial(workload, "gpu/frontier"),
    "gpu_bitonic_sort": partial(workload, "gpu/bitonic_sort"),
    "gpu_two_streams": two_streams,
    "chip_blocks": partial(workload, "chip/tasks/blocks"),
    "chip_side_by_side": side_by_side,
    "chip_late_product": late_product,
    "chip_softmax": partial(with_tasks, "chip/softmax", 16),
    "chip_gemm": partial(with_tasks, "chip/gemm/i8", 16),
    "chip_layers": partial(with_tasks, "chip/layers", 16),
    "chip_clusters": partial(with_tasks, "chip/copies/clusters", 4, "union2"),
    "chip_layer_norm": partial(with_tasks, "chip/layer_norm", 16),
}
"""Of all kinds, with several steps of the host: calls of one program, launches, copies."""
IN_EVERY_RUN = ("hand_tuned_copy", "gpu_small_heat", "chip_side_by_side", "chip_clusters")


def check_every_rest(content: Any, folder: Path, **how: Any) -> int:
    """From every point of rest the run ends with the same bytes; how many there were."""
    plain, kept = sim.run(content, **how).to_json(), []
    with sim.session(content, **how) as session:
        while session.rest((len(kept) and kept[-1] + 1) or 1):
            kept.append(session.steps)
            session.checkpoint(folder / f"{session.steps}.npz")
        assert session.finish().to_json() == plain, "to rest changes what comes out"
    for steps in kept:
        result = sim.run(content, checkpoint=folder / f"{steps}.npz", **how)
        assert result.to_json() == plain, f"taken up after step {steps}"
    return len(kept)


def check_chain(content: Content, folder: Path) -> int:
    """A run that is kept and taken up again at every point of rest ends with the same bytes; how
    many there were."""
    plain, before, rests = sim.run(content).to_json(), None, 0
    while True:
        with sim.session(content, checkpoint=before) as session:
            if not session.rest((session.steps or 0) + 1):
                assert session.finish().to_json() == plain, f"kept {rests} times"
                return rests
            before, rests = folder / f"chain {session.steps}.npz", rests + 1
            session.checkpoint(before)


# ---- What holds the state -----------------------------------------------------------------------


class Pausing:
    """A run that pauses at every point of rest."""

    def __init__(self, content: Content, resume: Path | None = None):
        described = workload_of(content)
        prepared = prepare(compile_workload(described), described.case())
        request, stops = stopping(prepared, request_of(prepared), resume=resume, can_pause=True)
        self.stops, self.request = replace(stops, pause_after=0), request
        self.simulation = Simulation(replace(request, on_rest=self.stops))

    def rests(self) -> Iterator[int]:
        """Goes on from rest to rest: steps."""
        while self.simulation.outcome is None:
            self.simulation.go_on(inf)
            if self.simulation.outcome is None:
                yield self.stops.last.steps

    def keep(self, path: Path) -> None:
        self.stops.write(path)

    @property
    def holds(self) -> dict[str, Any]:
        """All that the run's generator holds: the core, the host, the engine, the memory."""
        found = dict(self.simulation._running.gi_frame.f_locals)
        return {name: value for name, value in found.items() if name != "request"} | {
            "memory": self.request.memory.bytes
        }


SKIPPED: Mapping[tuple[str, str], str] = {
    ("Engine", "request"): "one of them goes on from a file",
    ("Engine", "pause"): "is sent anew",
    ("Engine", "_told"): "time of the host",
    ("ChipRun", "request"): "one of them goes on from a file",
    ("Pace", "cycles"): "time of the host",
    ("Stream", "asked_at"): "an order, which the order of what is kept says",
    ("Stream", "_digest"): "no value can be read; it is in what is kept",
    ("EpicCore", "_table"): "addresses of this process",
    ("EpicCore", "hot"): "when a packet gets its code cannot be seen",
    ("CoreState", "bound"): "when a packet gets its code cannot be seen",
    ("SimtCore", "_table"): "addresses of this process",
    ("Script", "_again"): "None once it is where it was",
    ("Costs", "found"): "what commands cost, worked out once",
    ("Cost", "_ways"): "where copies go, worked out once",
    ("Costs", "_operands"): "how operands are read, worked out once",
    ("Demands", "_found"): "what copies ask of DRAM, worked out once",
    ("CoreState", "addresses"): "of the access at hand, of this process",
    ("CoreState", "runs"): "made anew by each call of the core, of `times`",
    ("CoreState", "acts"): "made anew by each call of the core",
    ("CoreState", "acting"): "what the host's caches are asked for cannot be seen",
    ("CoreState", "progress"): "made anew by each call of the core",
    ("Parts", "tables"): "addresses of this process",
}
"""Attributes in which two runs may differ, and why."""
OPAQUE = (
    FunctionType, BuiltinFunctionType, MethodType, partial, GeneratorType, type,
    simpy.Environment, simpy.Event, simpy.Resource, Function,
)  # fmt: skip
"""What holds no state of its own at rest: at rest no process holds anything."""


def differences(one: Any, other: Any, where: str = "", seen: set | None = None) -> Iterator[str]:
    """Where two graphs of objects differ."""
    seen = set() if seen is None else seen
    if id(one) in seen or isinstance(one, OPAQUE):
        return
    if type(one) is not type(other):
        yield f"{where}: {type(one).__name__} and {type(other).__name__}"
    elif isinstance(one, np.ndarray):
        seen.add(id(one))
        if one.shape != other.shape or one.tobytes() != other.tobytes():
            yield f"{where}: arrays"
    elif isinstance(one, int | float | str | bytes | None.__class__):
        if one != other:
            yield f"{where}: {one!r} and {other!r}"
    else:
        seen.add(id(one))
        yield from _parts_differ(one, other, where, seen)


def _parts_differ(one: Any, other: Any, where: str, seen: set) -> Iterator[str]:
    name = type(one).__name__
    if isinstance(one, Mapping):
        ours, theirs = dict(one), dict(other)
    elif isinstance(one, tuple) and hasattr(one, "_asdict"):
        ours, theirs = one._asdict(), other._asdict()
    elif isinstance(one, list | tuple | deque):
        ours, theirs = dict(enumerate(one)), dict(enumerate(other))
    elif hasattr(one, "__dict__") or hasattr(one, "__slots__"):
        ours, theirs = _attributes(one), _attributes(other)
    else:  # iterators and what only C knows
        return
    if not all(isinstance(key, str | int | tuple | bool) for key in ours):
        ours, theirs = dict(zip(count(), ours.items())), dict(zip(count(), theirs.items()))
    if ours.keys() != theirs.keys():
        yield f"{where}: {sorted(map(str, ours.keys() ^ theirs.keys()))}"
        return
    for key, value in ours.items():
        if (name, key) not in SKIPPED:
            yield from differences(value, theirs[key], f"{where}.{key}", seen)


def _attributes(one: Any) -> dict[str, Any]:
    slots = [slot for base in type(one).__mro__ for slot in getattr(base, "__slots__", ())]
    found = {slot: getattr(one, slot) for slot in slots if hasattr(one, slot)}
    found = {key: value for key, value in found.items() if not key.startswith("__")}
    found |= getattr(one, "__dict__", {})
    worked_out = [k for k in found if isinstance(getattr(type(one), k, None), cached_property)]
    return {key: value for key, value in found.items() if key not in worked_out}


def check_state(content: Content, folder: Path) -> int:
    """At every point of rest a run that is taken up there holds what the one that goes on holds;
    how many there were."""
    going_on, rests = Pausing(content), 0
    for steps in going_on.rests():
        path = folder / f"{steps}.npz"
        going_on.keep(path)
        again = Pausing(content, path)
        found = list(differences(going_on.holds, again.holds))
        assert not found, f"after step {steps}: {found[:5]}"
        rests += 1
    return rests
