"""A process that gives simrun one broken input after another and says how each ended.

    python -m tests.campaign.broken_inputs.worker FOLDER        seeds on stdin, a line each

Lines on stdout: `begin SEED`, `compiling`, `compiled` and `end {JSON}`; the parent process watches
the time between them.  Each input is a call of `sim.cli.command_line` in this process.
"""

from __future__ import annotations

import io
import json
import os
import resource
import shutil
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import cache, wraps
from pathlib import Path
from typing import Any

import compiler
import machines.cache.compiled_cache
import machines.description.load
import machines.description.strict_yaml
import sim.cli
import sim.cores.machine_code
import sim.runner
import sim.serve.work
import sim.studies.point
import sim.workload.inputs
import sim.workload.schema
from machines import host_memory
from sim.serve import messages
from tests.campaign.broken_inputs import requests
from tests.campaign.broken_inputs.damage import Broken, make
from tests.campaign.broken_inputs.judge import Disagreement, judge
from tests.campaign.broken_inputs.studies import a_few_here

GIB = 1 << 30
ADDRESS_SPACE = 24 * GIB
"""Far more than an input may take: what reaches it is a mistake, and spares the computer."""


@dataclass
class Ended:
    """How one input ended.

    code     the exit code
    read     the part that was damaged has been read: its first check is past
    status   of a run: 'done', 'fault', …
    judged   who judged the run
    problem  what must not be, None if nothing
    """

    seed: int
    kind: str
    code: int = 0
    read: bool = False
    status: str | None = None
    judged: str | None = None
    seconds: float = 0.0
    mebibytes: int = 0
    problem: str | None = None
    detail: str = ""


class Watch:
    """Notes, of the input that runs, how far it came; put around functions of simrun."""

    def __init__(self) -> None:
        self.ended = Ended(-1, "")
        self.given = Broken(-1, "", {}, (), "")
        self.crash: str | None = None

    def begin(self, given: Broken) -> None:
        self.given, self.crash = given, None
        self.ended = Ended(given.seed, given.kind)

    def install(self) -> None:
        """Put the watch where simrun's parts call each other."""
        self.after(machines.description.strict_yaml, "read_yaml", self.yaml_is_read)
        self.after(machines.description.load, "read_yaml", self.yaml_is_read)
        self.after(compiler, "read_source", self.program_is_read)
        self.after(compiler, "make_steps", lambda *_: self.read("passes"))
        self.after(sim.workload.inputs, "read_file", lambda *_: self.read("data"))
        self.after(sim.workload.schema, "read_workload", lambda *_: self.read("expression"))
        self.after(sim.runner, "execute", self.has_run)
        self.after(sim.serve.work, "execute", self.has_run)
        self.after(sim.studies.point, "execute", self.point_has_run)
        sim.cli._write_crash_report = self.keep_crash

    def after(self, module: Any, name: str, told: Callable) -> None:
        """Have `told` called with the result and the arguments of a function."""
        inner = getattr(module, name)

        @wraps(inner)
        def outer(*arguments: Any, **options: Any) -> Any:
            result = inner(*arguments, **options)
            told(result, arguments)
            return result

        setattr(module, name, outer)

    def read(self, *kinds: str) -> None:
        self.ended.read |= self.ended.kind in kinds

    def yaml_is_read(self, _: Any, arguments: tuple) -> None:
        kinds = ("workload", "machine", "set", "problem", "baseline", "study", "tasks")
        if Path(arguments[1]).name == Path(self.given.damaged).name:
            self.read(*kinds)

    def program_is_read(self, _: Any, arguments: tuple) -> None:
        self.read("sir", "tiles", "tasks", "s", "py", "ll", "ptx")

    def has_run(self, result: Any, arguments: tuple) -> None:
        self.ended.status = result.status
        self.ended.judged = judge(arguments[0], result)

    def point_has_run(self, result: Any, _: tuple) -> None:
        self.ended.status = result.status  # its program may have been kept, without its IR

    def keep_crash(self, detail: str = "") -> str:
        self.crash = traceback.format_exc()
        return "nowhere"


def remember_machines() -> None:
    """Read each file that comes with simrun once: most inputs leave them as they are."""
    read, folder = machines.description.load._read_with_bases, machines.description.load.FOLDER

    @cache
    def once(path: Path) -> Any:
        return read(path, ())

    def reading(path: Path, readers: tuple) -> Any:
        if path.parent != folder:
            return read(path, readers)
        node = once(path)
        return replace(node, value=dict(node.value), keys=dict(node.keys))

    machines.description.load._read_with_bases = reading
    load = machines.description.load.load_machine

    @cache
    def plain(name: str) -> Any:
        return load(name)

    def loading(name: str | Path, overrides: Any = (), is_kept: bool = True) -> Any:
        plainly = isinstance(name, str) and name.isidentifier() and not overrides
        return plain(name) if plainly else load(name, overrides, is_kept)

    for module in list(sys.modules.values()):
        if getattr(module, "load_machine", None) is load:
            module.load_machine = loading


compiling: list[float] = [0.0]
"""Processor seconds that numba has taken: they are spent once per version, and no input's."""


def announce_compiling(say: Callable[[str], None]) -> None:
    """Tell the parent when numba compiles, which takes its time and is no hang."""
    sim.cores.machine_code.made = _announced(sim.cores.machine_code.made, say)
    machines.cache.compiled_cache.run_announced = _announced(
        machines.cache.compiled_cache.run_announced, say
    )


def _announced(inner: Callable, say: Callable[[str], None]) -> Callable:
    @wraps(inner)
    def outer(*arguments: Any) -> Any:
        say("compiling")
        start = time.process_time()
        try:
            return inner(*arguments)
        finally:
            compiling[0] += time.process_time() - start
            say("compiled")

    return outer


@contextmanager
def captured() -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    """Standard streams that are kept."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in before)
    try:
        yield sys.stdout, sys.stderr
    finally:
        sys.stdout, sys.stderr = before


def call(words: tuple[str, ...]) -> tuple[int, str, str]:
    """Exit code, output and errors of a command."""
    sys.argv = ["simrun", *words]
    with captured() as streams:
        code = 0
        try:
            sim.cli.command_line()
        except SystemExit as ended:
            code = ended.code or 0
        texts = []
        for stream in streams:
            stream.flush()
            texts.append(stream.buffer.getvalue().decode("utf-8", "replace"))
    return code, *texts


def ask(given: Broken, folder: Path, watch: Watch) -> tuple[int, str, str]:
    """What a worker of the service answers, as `call` says it of a command."""
    with captured() as streams, requests.confined(folder):
        status, body = requests.answered(given.words[1], given.files[requests.BODY])
        streams[1].flush()
        said = streams[1].buffer.getvalue().decode("utf-8", "replace")
    if status not in (messages.DONE, messages.REFUSED):
        watch.crash = said or f"HTTP {status}"
    watch.read("request")
    content = json.loads(body)
    refused = "".join(f"error: {finding['message']}\n" for finding in content["diagnostics"])
    return content["exit_code"], refused, ""


def run(given: Broken, folder: Path, watch: Watch) -> Ended:
    """Give simrun one input."""
    for name, content in given.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(
            content if isinstance(content, bytes) else content.encode("utf-8", "replace")
        )
    watch.begin(given)
    before, start = _reset_peak(), time.process_time() - compiling[0]
    if given.kind == "request":
        code, output, errors = ask(given, folder, watch)
    else:
        code, output, errors = call(given.words)
    ended = watch.ended
    ended.seconds = round(time.process_time() - compiling[0] - start, 4)
    ended.mebibytes = max(0, _status("VmHWM") - before) >> 10
    ended.code = code
    ended.problem, ended.detail = _problem(code, output, errors, watch)
    return ended


def _problem(code: int, output: str, errors: str, watch: Watch) -> tuple[str | None, str]:
    """What must not be."""
    if watch.crash is not None:
        lines = watch.crash.strip().splitlines()
        ours = [line.strip() for line in lines if line.strip().startswith("File")]
        kind = "disagreement" if Disagreement.__name__ in lines[-1] else "exit 70"
        place = "" if kind == "disagreement" else ours[-1]
        return f"{kind}: {lines[-1][:200]} {place}", watch.crash[-3000:]
    if code not in (0, 1, 2, 3):
        return f"exit {code}", errors[-1000:]
    if code == 2 and "error:" not in output + errors and "Usage" not in errors:
        return "exit 2 without a message", errors[-500:]
    if "Traceback" in errors:
        return "a traceback", errors[-2000:]
    return None, ""


def _reset_peak() -> int:
    """Forget the largest size so far; the size now, in KiB."""
    with suppress(OSError):  # a system that has no such file
        Path("/proc/self/clear_refs").write_text("5")
    return _status("VmRSS")


def _status(name: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1])
    return 0


def main() -> None:
    """Serve seeds until there are no more."""
    base = Path(sys.argv[1])
    out = os.fdopen(os.dup(1), "w", buffering=1)

    def say(line: str) -> None:
        out.write(line + "\n")
        out.flush()

    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    host_memory.granted = GIB // 4  # some of which is there four times, with its judges'
    watch = Watch()
    watch.install()
    remember_machines()
    announce_compiling(say)
    a_few_here()
    folder = base / "input"
    for line in sys.stdin:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        os.chdir(folder)
        given = make(int(line))
        say(f"begin {given.seed}")
        say("end " + json.dumps(asdict(run(given, folder, watch))))


if __name__ == "__main__":
    main()
