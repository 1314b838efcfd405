"""A service that 16 clients ask 10 000 times: rightly, wrongly, hugely, slowly, and beyond.

    python -m tests.campaign.served_requests [--requests 10000] [--clients 16] [--seed 1]

Right requests must have the result that the same files have here, those of files that change
meanwhile that of the contents which the answer names; everything else must be refused as it should.
No file outside of the store is opened (Linux tells), none of its content is answered, the service
says nothing of a mistake of its own, and its memory stays: it is measured at rest, after a tenth of
the requests and after all, each time when all workers have had right requests of all kinds.  At the
end no process is left.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import json
import os
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import sim
from sim.serve.messages import MOST_ASKED
from sim.serve.work import memory
from tests.campaign.killed_studies import below, is_alive
from tests.opened_files import Watched

ROOT = Path(__file__).parents[2]
TOKEN = "a-token-of-the-campaign"
SECRET = "what_nobody_outside_may_read"
SECONDS, MEMORY, SLOW = 15, 512, 10.0
"""That a request may take; MiB; within which a slow client is cut off."""
RIGHT = "saxpy/workload.yaml"
GOOD = {RIGHT: 45, "linked/workload.yaml": 45, "gpu/workload.yaml": 1, "chip/workload.yaml": 1}
"""Right requests, and how often each is made."""
SUM = "func @sum(n: i64) -> i64 {{\nentry:\n    x = add.i64 n, {}\n    return x\n}}\n"
SUM_OF = "workload: sum\nprogram: sum.sir\nmachine: itanium2\narguments:\n  n: {}\n"
SAXPY = """workload: saxpy
program: {program}
machine: {machine}
arguments:
  n: 8
  a: 2.5
  x: {x}
  y: {{dtype: f32, shape: [8], value: 1}}
expect:
  y: {y}
"""
X = "{dtype: f32, shape: [8], range: {}}"
PLAIN = {"program": "saxpy.py", "machine": "itanium2", "x": X, "y": '{equals: "a * x + y"}'}
OUTSIDE = {
    "program": "{}/saxpy.py", "machine": "{}/machine.yaml", "x": "{{dtype: f32, file: {}/x.npy}}",
    "y": "{{file: {}/x.npy}}",
}  # fmt: skip
ENDLESS = """from compiler.kernel import i64, kernel


@kernel
def endless(n: i64) -> i64:
    i = n
    while i != 0:
        i = 5 * i + 1
    return i
"""
HUNGRY = "func @f({}) {{\nentry:\n    return\n}}\n"


def make_store(folder: Path) -> tuple[Path, Path, list[str]]:
    """The store, what lies outside of it, and the workloads that lead there."""
    store, outside = folder / "store", folder / "outside"
    for one in (store / "saxpy", outside):
        one.mkdir(parents=True)
        shutil.copy(ROOT / "workloads/saxpy/saxpy.py", one)
    (outside / "saxpy.py").write_text(f"# {SECRET}\n" + (outside / "saxpy.py").read_text())
    (outside / "workload.yaml").write_text(SAXPY.format(**PLAIN))
    (outside / "machine.yaml").write_text("extends: itanium2\nname: mine\nclock: 2 GHz\n")
    (outside / "x.npy").write_bytes(SECRET.encode() * 8)
    (outside / "rules.py").write_text(f"# {SECRET}\n")
    saxpy = store / "saxpy"
    (saxpy / "workload.yaml").write_text(SAXPY.format(**PLAIN))
    (store / "linked").symlink_to("saxpy")
    for name, of in {"gpu": "workloads/gpu/saxpy", "chip": "workloads/chip/gemm/f32"}.items():
        shutil.copytree(ROOT / of, store / name)
    (saxpy / "out").symlink_to(outside)
    (saxpy / "out.py").symlink_to(outside / "saxpy.py")
    ways = ["../../outside", str(outside), "out", "out/../outside", "../linked/../../outside"]
    wrong = []
    for what, text in OUTSIDE.items():
        for number, way in enumerate(ways):
            path = saxpy / f"{what}_{number}.yaml"
            path.write_text(SAXPY.format(**PLAIN | {what: text.format(way)}))
            wrong.append(f"saxpy/{path.name}")
    (saxpy / "link.yaml").write_text(SAXPY.format(**PLAIN | {"program": "out.py"}))
    (saxpy / "own.py").write_text(f"open({str(folder / 'made')!r}, 'w')\n")
    (saxpy / "own.yaml").write_text(SAXPY.format(**PLAIN | {"y": '{oracle: "own.py:f"}'}))
    (saxpy / "wrong.yaml").write_text("workload: [\n")
    (saxpy / "c.yaml").write_text(SAXPY.format(**PLAIN | {"program": "saxpy.c"}))
    (saxpy / "saxpy.c").write_text("int f(void) { return 0; }\n")
    wrong += [f"saxpy/{name}.yaml" for name in ("link", "own", "wrong", "c")]
    buffers = [f"b{number}" for number in range(4)]
    large = "".join(f"  {name}: {{dtype: u8, shape: [250000000], value: 1}}\n" for name in buffers)
    parameters = ", ".join(f"{name}: ptr" for name in buffers)
    made = {"endless.py": (ENDLESS, "  n: 1\n"), "hungry.sir": (HUNGRY.format(parameters), large)}
    for program, (text, arguments) in made.items():
        (store / program).write_text(text)
        name = program.partition(".")[0]
        (store / f"{name}.yaml").write_text(
            f"workload: {name}\nprogram: {program}\nmachine: itanium2\narguments:\n{arguments}"
            "limits: {cycles: 100000000000000}\n"
        )
    return store, outside, wrong


class Client:
    """One of those who ask, in a thread of its own."""

    def __init__(self, number: int, seed: int, hammer: Hammer):
        self.random = random.Random(seed * 1000 + number)
        self.number, self.hammer, self.port = number, hammer, hammer.port
        self.folder = hammer.store / f"client_{number}"
        self.folder.mkdir()
        self.connection: http.client.HTTPConnection | None = None
        kinds: dict[Callable[[], str], float] = {
            self.good: 30, self.compiled: 2, self.edited: 12, self.edited_meanwhile: 2,
            self.outside_name: 13, self.outside_workload: 13, self.wrong_token: 7,
            self.damaged: 8, self.no_http: 6, self.huge: 2, self.gone: 3, self.slow: 0.1,
            self.endless: 0.05, self.hungry: 0.1,
        }  # fmt: skip
        self.kinds, self.weights = list(kinds), list(kinds.values())

    def step(self) -> None:
        [kind] = self.random.choices(self.kinds, self.weights)
        begin = time.monotonic()
        try:
            how = kind()
        except Exception as error:
            how = f"WRONG {type(error).__name__}: {error}"
            self.connection = None
        self.hammer.note(kind.__name__, how, time.monotonic() - begin)

    def ask(self, kind: str, asked: object, token: str = TOKEN) -> tuple[int, dict]:
        body = asked if isinstance(asked, bytes) else json.dumps(asked).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        for fresh in (False, True):
            if self.connection is None or fresh:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
            try:
                self.connection.request("POST", f"/{kind}", body, headers)
                answer = self.connection.getresponse()
                data = answer.read()
                break
            except (http.client.RemoteDisconnected, ConnectionError):
                if fresh:  # a connection that was at rest may have been closed
                    raise
        if answer.will_close:
            self.connection = None
        assert SECRET.encode() not in data and TOKEN.encode() not in data
        if answer.status == 503:
            time.sleep(0.3)
        return answer.status, json.loads(data)

    def good(self, name: str | None = None) -> str:
        name = name or self.random.choices(list(GOOD), GOOD.values())[0]
        status, content = self.ask("run", {"name": name})
        if status == 200:
            assert content["result"] == self.hammer.wanted[name], "another result"
        return self.among(status, 200)

    def compiled(self) -> str:
        name = self.random.choices(list(GOOD), GOOD.values())[0]
        status, content = self.ask("compile", {"name": name, "show": ["asm", "chains"]})
        if status == 200:
            assert content["views"]["asm"]["text"] == self.hammer.programs[name], "another program"
            assert content["views"]["chains"]["content"]
        return self.among(status, 200)

    def edit(self) -> None:
        texts = [
            SUM.format(self.random.randrange(1000)),
            SUM_OF.format(self.random.randrange(1000)),
        ]
        for name, text in zip(("sum.sir", "workload.yaml"), texts, strict=True):
            path = self.folder / name
            self.hammer.contents[hashlib.sha256(text.encode()).hexdigest()] = text
            if self.random.random() < 0.5:
                path.write_text(text)
            else:
                path.with_name("new").write_text(text)
                path.with_name("new").rename(path)

    def edited(self) -> str:
        self.edit()
        status, content = self.ask("run", {"name": f"{self.folder.name}/workload.yaml"})
        if status == 200:
            texts = [(self.folder / name).read_text() for name in ("sum.sir", "workload.yaml")]
            assert content["result"]["returned"] == _sum(*texts), "a result of before"
        return self.among(status, 200)

    def edited_meanwhile(self) -> str:
        """Answers are of the contents that they name."""
        self.edit()
        ends = threading.Event()

        def edit() -> None:
            while not ends.is_set():
                self.edit()
                time.sleep(self.random.random() * 0.5)

        editor = threading.Thread(target=edit)
        editor.start()
        try:
            status, content = self.ask("run", {"name": f"{self.folder.name}/workload.yaml"})
        finally:
            ends.set()
            editor.join()
        if status == 200:
            files = {name.rpartition("/")[2]: digest for name, digest in content["files"].items()}
            texts = [self.hammer.contents[files[name]] for name in ("sum.sir", "workload.yaml")]
            assert content["result"]["returned"] == _sum(*texts), "a mixture"
        return self.among(status, 200, 409, 422)  # a file may be half written

    def outside_name(self) -> str:
        names = ["../outside/workload.yaml", f"{self.hammer.outside}/workload.yaml", "/etc/passwd",
                 "saxpy/out/workload.yaml", "saxpy/out.py", "%2e%2e/outside/workload.yaml",
                 "..%2foutside%2fworkload.yaml", "saxpy/../../outside/workload.yaml", "a\0b", "..",
                 "../store/../outside/saxpy.py", "....//outside/workload.yaml",
                 "/proc/self/environ",
                 "saxpy\\..\\..\\outside", "//etc/passwd", "file:///etc/passwd", "~/x", "\ud800",
                 "/dev/zero", "saxpy/workload.yaml\0.py", "x" * 300, "x" * 1000]  # fmt: skip
        asked: dict = {"name": self.random.choice(names)}
        if self.random.random() < 0.3:
            way = self.random.choice(["../outside", str(self.hammer.outside), "saxpy/out"])
            more = [{"machine": f"{way}/machine.yaml"},
                    {"arguments": [f"x={{dtype: f32, file: {way}/x.npy}}"]},
                    {"set": ["clock=1e999 GHz"]}, {"passes": "nothing_of_the_kind"}]  # fmt: skip
            asked = {"name": RIGHT, **self.random.choice(more)}
        kind = "run" if "arguments" in asked else self.random.choice(["run", "compile"])
        return self.among(self.ask(kind, asked)[0], 422)

    def outside_workload(self) -> str:
        name = self.random.choice(self.hammer.wrong)
        return self.among(self.ask("run", {"name": name})[0], 422)

    def wrong_token(self) -> str:
        token = self.random.choice(["", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "x" * 5000])
        return self.among(self.ask("run", {"name": RIGHT}, token)[0], 401)

    def damaged(self) -> str:
        body = bytearray(json.dumps({"name": RIGHT, "set": ["clock=1 GHz"]}).encode())
        for _ in range(self.random.randrange(1, 4)):
            at = self.random.randrange(len(body))
            body[at : at + self.random.randrange(3)] = self.random.randbytes(
                self.random.randrange(3)
            )
        if self.random.random() < 0.2:
            body = bytearray(
                self.random.choice([b"[" * 50000, b'{"a":' * 9000, b"", b"null", b"1e999"])
            )
        return self.among(self.ask("run", bytes(body))[0], 422, 200)

    def no_http(self) -> str:
        sent = self.random.choice([
            self.random.randbytes(200) + b"\r\n\r\n", b"GET\r\n\r\n", b"\r\n\r\n\r\n\r\n",
            b"POST /run HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            b"POST /run HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
            b"GET /../../outside/saxpy.py HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /" + b"%2e%2e/" * 20 + b" HTTP/1.0\r\n\r\n",
            b"POST /run HTTP/1.1\r\n" + b"X: y\r\n" * 9000 + b"\r\n",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03\r\n\r\n",
        ])  # fmt: skip
        status = self.raw(sent)
        return self.among(status, 0, 400, 401, 404, 405)

    def raw(self, sent: bytes) -> int:
        """HTTP's number for these bytes, 0 if the connection ends without one."""
        connected = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        with connected as connection, suppress(ConnectionError):
            connection.sendall(sent)
            data = connection.recv(4096)
            return int(data.split()[1]) if data.startswith(b"HTTP/") else 0
        return 0

    def huge(self) -> str:
        length = self.random.choice([MOST_ASKED + 1, 1 << 20, 10**12, 10**30])
        head = ("POST /run HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                f"Authorization: Bearer {TOKEN}\r\n")  # fmt: skip
        if self.random.random() < 0.5:
            sent = f"{head}Content-Length: {length}\r\n\r\n".encode() + b" " * min(length, 1 << 20)
        else:
            chunk = b"8000\r\n" + b" " * 0x8000 + b"\r\n"
            sent = f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + chunk * 32
        return self.among(self.raw(sent), 0, 400, 413)

    def gone(self) -> str:
        """Sends a request, or a part of it, and goes."""
        body = json.dumps({"name": RIGHT}).encode()
        sent = (
            f"POST /run HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {TOKEN}\r\nContent-Length: {len(body)}\r\n\r\n"
        ).encode()
        sent += body
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall(sent[: self.random.randrange(len(sent) + 1)])
        return "gone"

    def slow(self) -> str:
        """A byte now and then, in the header or in the body: it is cut off."""
        head = (
            "POST /run HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {TOKEN}\r\nContent-Length: 1000\r\n"
        ).encode()
        begin = time.monotonic()
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.settimeout(0.2)
            connection.sendall(head + (b"\r\n{" if self.random.random() < 0.5 else b""))
            while time.monotonic() < begin + 3 * SLOW:
                try:
                    connection.sendall(b" ")
                    if connection.recv(100) == b"":
                        return "cut off"
                except TimeoutError:
                    continue
                except ConnectionError:
                    return "cut off"
        raise AssertionError("it still listens")

    def endless(self) -> str:
        status, content = self.ask("run", {"name": "endless.yaml"})
        if status == 422:
            assert f"longer than {SECONDS} s" in content["diagnostics"][0]["message"], content
        return self.among(status, 422)

    def hungry(self) -> str:
        status, content = self.ask("run", {"name": "hungry.yaml"})
        if status == 422:
            assert "memory" in str(content["diagnostics"]), content
        return self.among(status, 422)

    def among(self, status: int, *right: int) -> str:
        assert status in (*right, 503), f"status {status}"
        return str(status)


def _sum(program: str, workload: str) -> int:
    """What a program of `SUM` returns in a workload of `SUM_OF`."""
    return int(program.split("n, ")[1].split()[0]) + int(workload.split("n: ")[1])


class Hammer:
    """The service, who asks it, and what came of that."""

    def __init__(self, folder: Path, clients: int, seed: int):
        self.store, self.outside, self.wrong = make_store(folder)
        self.made = folder / "made"
        self.wanted = {name: sim.run(self.store / name).to_dict() for name in GOOD}
        self.programs = {name: sim.compile(self.store / name, keep="all").listing for name in GOOD}
        self.contents: dict[str, str] = {}
        self.counts: dict[str, Counter] = {}
        self.seconds: dict[str, list[float]] = {}
        self._lock = threading.Lock()
        self.said = (folder / "said").open("w+")
        words = [sys.executable, "-m", "sim", "serve", "--store", str(self.store), "--port", "0"]
        words += f"--jobs 2 --queue 12 --seconds {SECONDS} --memory {MEMORY}".split()
        self.process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=self.said, text=True, cwd="/",
            env={**os.environ, "PYTHONPATH": str(ROOT), "SIMRUN_TOKEN": TOKEN},
        )  # fmt: skip
        self.port = int(self.process.stdout.readline().rpartition(":")[2])
        self.clients = [Client(number, seed, self) for number in range(clients)]

    def note(self, kind: str, how: str, seconds: float) -> None:
        with self._lock:
            self.counts.setdefault(kind, Counter())[how] += 1
            self.seconds.setdefault(kind, []).append(seconds)

    def ask(self, requests: int) -> None:
        """So many requests of all clients together."""
        left = iter(range(requests))

        def work(client: Client) -> None:
            while True:
                with self._lock:
                    if next(left, None) is None:
                        return
                client.step()

        threads = [threading.Thread(target=work, args=(client,)) for client in self.clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def resident(self) -> dict[int, int]:
        """MiB of the service and each process that it started, at rest after right requests."""
        time.sleep(20)  # workers that were ended have been replaced
        threads = [
            threading.Thread(target=lambda c=client: [c.good(name) for name in GOOD])
            for client in self.clients[:4]
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        found = [self.process.pid, *below(self.process.pid)]
        return {pid: memory("VmRSS", pid) >> 20 for pid in found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        hammer = Hammer(Path(folder), given.clients, given.seed)
        with Watched(hammer.outside) as watched:
            try:
                _hammered(hammer, given.requests, watched)
            finally:
                hammer.process.kill()


def _hammered(hammer: Hammer, requests: int, watched: Watched) -> None:
    workers = set(below(hammer.process.pid))
    begin, measured = time.monotonic(), []
    for part in (requests // 10, requests - requests // 10):
        hammer.ask(part)
        assert hammer.process.poll() is None, "the service has ended"
        measured.append(hammer.resident())
        workers |= measured[-1].keys() - {hammer.process.pid}
        asked = sum(map(Counter.total, hammer.counts.values()))
        print(f"after {asked} requests: MiB by process {measured[-1]}", flush=True)
    print(f"{time.monotonic() - begin:.0f} s, of which 40 at rest")
    for kind, counts in hammer.counts.items():
        median, most = statistics.median(hammer.seconds[kind]), max(hammer.seconds[kind])
        print(f"  {kind:17} {dict(counts)}  median {median:.3f} s, most {most:.1f} s")
    before, after = (sum(one.values()) for one in measured)
    print(f"memory {before} MiB, then {after} MiB: {100 * (after - before) / before:+.1f} %")
    opened = watched.opened()
    hammer.process.send_signal(signal.SIGTERM)
    code = hammer.process.wait(60)
    time.sleep(2)
    left = [pid for pid in workers if is_alive(pid)]
    hammer.said.seek(0)
    said = hammer.said.read()
    wrong = {how for counts in hammer.counts.values() for how in counts if how.startswith("WRONG")}
    assert not wrong, wrong
    assert not opened, f"opened outside: {opened}"
    assert not hammer.made.exists(), "Python of a workload has run"
    assert code == 0 and not left, (code, left)
    assert TOKEN not in said and "Traceback" not in said, said[-3000:]
    assert after <= 1.1 * before, "memory has grown by more than a tenth"
    print("all as it should be")


if __name__ == "__main__":
    main()
