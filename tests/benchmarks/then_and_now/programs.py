"""What runs to be measured: workloads with larger inputs where they are over in a moment, and a
program made for it.

What comes out is compared with nothing: only the simulation is measured.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.benchmarks._command import WORKLOADS
from tests.programs.deciding_program import DecidingProgram

BENCHMARKS = Path(__file__).parents[1]
DIAMONDS = 28
"""2 029 instructions in its loop, of which a round executes 980."""
MIXTURE_ROUNDS = {"1e7": 43, "1e8": 431, "1e9": 4310}
DECIDING = {"workload": "deciding", "machine": "itanium2", "arguments": {"rounds": 1}}


@dataclass(frozen=True)
class Measured:
    """A row of the table.

    name     of the row
    content  of the workload's file, as it is shipped
    changes  of its sections, by key: what makes it long enough
    program  its text
    suffix   of the program's file: what reads it
    once     it takes minutes: one run of each tree, and on request
    memory   whether the seconds of an instruction and the most memory are shown, too
    """

    name: str
    content: Mapping[str, Any]
    changes: Mapping[str, Mapping[str, Any]]
    program: str
    suffix: str
    once: bool = False
    memory: bool = False

    def write(self, folder: Path, shortest: bool) -> Path:
        """The workload's file, in a folder of its own; the shortest is as it is shipped."""
        own = folder / self.name
        own.mkdir()
        content = dict(self.content) | {"program": f"program{self.suffix}"}
        for key, changes in ({} if shortest else self.changes).items():
            content[key] = {**content[key], **changes}
        (own / content["program"]).write_text(self.program, encoding="utf-8")
        path = own / "workload.yaml"
        path.write_text(json.dumps(content), encoding="utf-8")
        return path


def shipped(name: str, file: Path, changes: Mapping[str, Mapping[str, Any]], **more) -> Measured:
    """A row of a workload that is there; its expectations and variants are left out."""
    content = yaml.safe_load(file.read_text(encoding="utf-8"))
    kept = {key: value for key, value in content.items() if key not in ("expect", "variants")}
    program = file.parent / content["program"]
    text = program.read_text(encoding="utf-8")
    return Measured(name, kept, changes, text, program.suffix, **more)


def measured() -> list[Measured]:
    """All rows, in their order."""
    return [*_of_the_benchmarks(), *_of_the_suite(), *_written_by_hand(), *_on_many_threads()]


def _of_the_benchmarks() -> list[Measured]:
    mixture, pipelined = (BENCHMARKS / f"{name}.yaml" for name in ("mixture", "pipelined"))
    lengths = [
        shipped(
            f"mixture-{length}",
            mixture,
            {"arguments": {"rounds": rounds}},
            once=length == "1e9",
            memory=True,
        )
        for length, rounds in MIXTURE_ROUNDS.items()
    ]
    text = DecidingProgram(DIAMONDS).text
    return [
        *lengths,
        shipped("pipelined", pipelined, {"arguments": {"rounds": 4000}}),
        Measured("deciding", DECIDING, {"arguments": {"rounds": 40_000}}, text, ".sir"),
    ]


def _of_the_suite() -> list[Measured]:
    numbers = {"random": {"seed": 1, "low": -1, "high": 1}}
    square = {"dtype": "f64", "shape": [192, 192]}
    words = {"random": {"seed": 1, "low": -(1 << 31), "high": (1 << 31) - 1}}
    arguments = {
        "quicksort": {"n": 200_000, "values": {"dtype": "i32", "shape": [200_000], **words}},
        "mandelbrot": {"limit": 800},
        "sieve": {"n": 1_500_000, "flags": {"dtype": "u8", "shape": [1_500_000], "value": 0}},
        "crc32": {
            "n": 4_000_000,
            "data": {
                "dtype": "u8",
                "shape": [4_000_000],
                "random": {"seed": 1, "low": 0, "high": 255},
            },
        },
        "matrix_multiply": {
            "n": 192,
            "a": {**square, **numbers},
            "b": {**square, **numbers},
            "c": {**square, "value": 0},
        },
    }
    return [
        shipped(name, WORKLOADS / name / "workload.yaml", {"arguments": given})
        for name, given in arguments.items()
    ]


def _written_by_hand() -> list[Measured]:
    """Loops over data in the caches, so many times."""
    passes = {"daxpy": 12_000, "copy": 16_000, "add": 7_000}
    return [
        shipped(
            name,
            WORKLOADS / "hand_tuned" / name / "workload.yaml",
            {"arguments": {"passes": number}},
        )
        for name, number in passes.items()
    ]


def _on_many_threads() -> list[Measured]:
    def tensor(shape: list[int], **how: Any) -> dict[str, Any]:
        return {"dtype": "f32", "shape": shape, **how}

    numbers = {"random": {"seed": 1, "low": -1, "high": 1}}
    n, elements = 256, 1 << 21
    matrices = {"a": tensor([n, n], **numbers), "b": tensor([n, n], **numbers)}
    vectors = {"x": tensor([elements], **numbers), "y": tensor([elements], **numbers)}
    return [
        shipped(
            "sgemm",
            WORKLOADS / "gpu" / "sgemm" / "workload.yaml",
            {
                "arguments": {"n": n, "c": tensor([n, n], value=0), **matrices},
                "launch": {"grid": [n // 16, n // 16]},
            },
        ),
        shipped(
            "saxpy",
            WORKLOADS / "gpu" / "saxpy" / "workload.yaml",
            {
                "arguments": {"n": elements, **vectors},
                "launch": {"grid": [elements // 256]},
            },
        ),
    ]
