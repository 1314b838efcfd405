"""How long whole networks take on an mlu370: seconds of the processor, start to end, and memory.

    python -m tests.benchmarks.network_speed            # ResNet-50 and a BERT-base layer

Each run is a process of its own, `simrun MODEL`.  The first of a network also compiles it, and the
first with values the loops of rows that nobody has needed before; what follows has the program at
hand, and the least of three counts.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import onnx

from tests.benchmarks._command import WORKLOADS, command_line
from workloads.networks.light import light_model
from workloads.networks.make_models import bert_layer

AGAIN = 3
SMALL = WORKLOADS / "networks" / "models" / "bert_layer.onnx"
TIMING = ("--timing-only",)


class Took(NamedTuple):
    """Seconds of the processor, and the most memory in MB."""

    seconds: float
    peak: float


def took(model: Path, words: Sequence[str]) -> Took:
    """A run."""
    command = [sys.executable, "-m", "sim.cli", str(model), "--machine", "mlu370", *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Took(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def line(network: str, what: str, one: Took) -> str:
    return f"{network:10} {what:30} {one.seconds:8.2f} s {one.peak:7.0f} MB"


def measure(network: str, model: Path, words: Sequence[str], times: int) -> None:
    """Print how long it takes to compile it and to run it, without values and with them."""
    print(line(network, "compiled, timing only", took(model, (*words, *TIMING))))
    for what, more in {"timing only": TIMING, "with values": ()}.items():
        if more == ():
            took(model, words)
        print(line(network, what, min(took(model, (*words, *more)) for _ in range(times))))


def main(words: Sequence[str]) -> None:
    given = command_line(__doc__).parse_args(words)
    if given.shortest:
        measure("bert_layer", SMALL, ("--dimension", "batch=1", "--dimension", "sequence=2"), 1)
        return
    with tempfile.TemporaryDirectory() as folder:
        resnet, bert = Path(folder) / "resnet50.onnx", Path(folder) / "bert_layer.onnx"
        onnx.save(light_model("resnet50"), resnet)
        onnx.save(bert_layer(), bert)
        measure("resnet50", resnet, (), AGAIN)
        extents = ("--dimension", "batch=1", "--dimension", "sequence=128")
        measure("bert_layer", bert, extents, AGAIN)


if __name__ == "__main__":
    main(sys.argv[1:])
