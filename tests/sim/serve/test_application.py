"""The service's door: who may ask, how much, how slowly.  Nothing is compiled here."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPException, HTTPResponse

import pytest

from machines.diagnostics import InputError
from sim.serve import messages
from sim.serve.client import ask
from sim.serve.messages import Asked
from sim.serve.work import Answered

pytest.importorskip("tornado", reason="the service needs tornado: pip install 'simrun[serve]'")

from sim.serve import application
from sim.serve.application import Door
from sim.serve.pool import Busy

TOKEN = "a-token-of-twenty-one"
LARGE = 48 << 20
"""Bytes: more than systems take over from who sends."""
BODY = json.dumps({"name": "workload.yaml"}).encode()


class Pool:
    """In place of workers: it says what it was asked; some names have other answers."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.cancelled = threading.Event()

    async def ask(self, asked: Asked) -> Answered:
        self.asked.append(asked)
        if asked.name == "busy":
            raise Busy
        if asked.name == "mistake":
            raise RuntimeError("of ours")
        if asked.name == "long":
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                self.cancelled.set()
                raise
        size = LARGE if asked.name == "large" else 0
        body = {"exit_code": 0, "diagnostics": [], "asked": asked.model_dump(), "more": "x" * size}
        return Answered(200, messages.written(body))

    async def rest(self) -> None:
        pass


class Served:
    """A service in a thread of its own."""

    def __init__(self, token: str | None):
        self.pool, self.url = Pool(), ""
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(Door("127.0.0.1", 0, token),))

    def _run(self, door: Door) -> None:
        async def run() -> None:
            self.loop, self._told = asyncio.get_running_loop(), asyncio.Event()
            await application.serve(self.pool, door, self._on_ready, self._told)

        asyncio.run(run())

    def _on_ready(self, url: str) -> None:
        self.url = url
        self._ready.set()

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def __enter__(self) -> Served:
        self._thread.start()
        assert self._ready.wait(30)
        return self

    def __exit__(self, *error: object) -> None:
        self.loop.call_soon_threadsafe(self._told.set)
        self._thread.join()

    def raw(self, sent: bytes) -> tuple[int, dict]:
        """What is answered to these bytes: HTTP's number and the content; 0 where there is none."""
        with self.connected() as connection:
            connection.sendall(sent)
            return read(connection)

    def post(self, path: str = "/run", body: bytes = BODY, **headers: str) -> tuple[int, dict]:
        given = {"Host": f"127.0.0.1:{self.port}", "Content-Type": "application/json"}
        given |= {"Content-Length": str(len(body))}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines = "".join(f"{name}: {value}\r\n" for name, value in given.items())
        return self.raw(f"POST {path} HTTP/1.1\r\n{lines}\r\n".encode() + body)

    @contextmanager
    def connected(self) -> Iterator[socket.socket]:
        with closing(socket.create_connection(("127.0.0.1", self.port), timeout=20)) as connection:
            yield connection


def read(connection: socket.socket) -> tuple[int, dict]:
    """HTTP's number and the content of an answer; 0 if the connection ends without one."""
    answer = HTTPResponse(connection)
    try:
        answer.begin()
        body = answer.read()
    except (ConnectionError, HTTPException):
        return 0, {}
    return answer.status, json.loads(body) if body else {}


@pytest.fixture(scope="module", autouse=True)
def less_patient() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(application, "SECONDS_TO_ASK", 1.0)
        yield


@pytest.fixture(scope="module")
def open_door() -> Iterator[Served]:
    with Served(None) as served:
        yield served


@pytest.fixture(scope="module")
def locked_door() -> Iterator[Served]:
    with Served(TOKEN) as served:
        yield served


def test_what_is_asked_arrives(open_door: Served):
    asked = {"name": "a.yaml", "set": ["clock=2 GHz"], "variants": ["one"], "cycle_limit": 5}
    content = ask(open_door.url, "run", asked)
    assert {key: content["asked"][key] for key in asked} == asked
    content = ask(f"{open_door.url}/", "compile", {"name": "a.py", "show": ["asm", "chains"]})
    assert content["asked"]["show"] == ["asm", "chains"]


def test_a_wrong_token_is_refused_before_the_body_is_read(locked_door: Served):
    before = len(locked_door.pool.asked)
    tokens = ["", TOKEN, f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}x", "Bearer", f"Basic {TOKEN}",
              "Bearer \xfc", f"Bearer {TOKEN} {TOKEN}"]  # fmt: skip
    for given in tokens:
        status, content = locked_door.post(Authorization=given)
        assert (status, content["exit_code"]) == (401, 2), given
    for sent in ("GET /health", "GET /", "GET /x", "GET /run", "PUT /run"):
        assert locked_door.raw(f"{sent} HTTP/1.1\r\nHost: x\r\n\r\n".encode())[0] == 401
    unread = b"POST /run HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n"
    assert locked_door.raw(unread)[0] == 401
    assert len(locked_door.pool.asked) == before
    assert locked_door.post(Authorization=f"Bearer {TOKEN}")[0] == 200
    assert ask(locked_door.url, "run", {"name": "a"}, TOKEN)["exit_code"] == 0
    with pytest.raises(InputError, match="the token is missing or wrong"):
        ask(locked_door.url, "run", {"name": "a"}, "another-token-of-this-length")


def test_without_a_token_it_is_open_to_this_computer_alone(open_door: Served):
    with pytest.raises(InputError, match="open to other computers"):
        application.bound(Door("0.0.0.0", 0))
    for one in application.bound(Door("0.0.0.0", 0, TOKEN)):
        one.close()
    with pytest.raises(InputError, match="cannot serve at"):
        application.bound(Door("127.0.0.1", open_door.port))
    for host in ("evil.example", "127.0.0.1.evil.example", "evil.example:80", ""):
        assert open_door.post(Host=host)[0] in (400, 403), host
    for host in ("localhost", "LOCALHOST:1", "[::1]:80", "127.0.0.1"):
        assert open_door.post(Host=host)[0] == 200, host


def test_pages_of_browsers_cannot_ask(open_door: Served):
    """They may send such types without asking first, and nobody answers who asks first."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        assert open_door.post(Content_Type=kind)[0] == 415
    sent = "OPTIONS /run HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\r\n"
    status, _ = open_door.raw(sent.encode())
    assert status == 405


@pytest.mark.parametrize(
    "body, said",
    [(b"", "is not JSON"), (b"{", "is not JSON"), (b"\xff\xfe", "is not JSON"),
     (b"[]", "no JSON object"), (b"1", "no JSON object"), (b"{}", "'name' is missing"),
     (b'{"name": 1}', "name"), (b'{"name": ""}', "name"), (b'{"name": "a", "name": "b"}', "twice"),
     (b'{"name": "a", "nmae": "b"}', "unknown key 'nmae'"),
     (b'{"name": "a", "trust": true}', "trust"),
     (b'{"name": "a", "cycle_limit": NaN}', "NaN"),
     (b'{"name": "a", "cycle_limit": 0}', "cycle_limit"),
     (b'{"name": "a", "cycle_limit": ' + b"9" * 5000 + b"}", ""),
     (b'{"name": "a", "set": "x"}', "set"),
     (b"[" * 60000, ""), (b'{"a":' * 10000, ""),
     (b'{"name": ' + b"[" * 900 + b"]" * 900 + b"}", ""),
     (json.dumps({"name": "x" * 2000}).encode(), "name"),
     (b'{"name": "a", "source": "x"}', "source")],
)  # fmt: skip
def test_wrong_bodies_have_their_findings(open_door: Served, body: bytes, said: str):
    before = len(open_door.pool.asked)
    status, content = open_door.post(body=body)
    assert (status, content["exit_code"]) == (422, 2)
    assert any(said in str(finding) for finding in content["diagnostics"])
    assert len(open_door.pool.asked) == before


@pytest.mark.parametrize(
    "sent, statuses",
    [(b"\r\n\r\n", {0, 400}), (b"GET\r\n\r\n", {400}), (b"\x16\x03\x01\x02\x00\x01", {0, 400}),
     (b"POST /run HTTP/9.9\r\n\r\n", {400, 505}),
     (b"POST /run HTTP/1.1\r\nHost localhost\r\n\r\n", {400}),
     (b"GET /run HTTP/1.1\r\nHost: localhost\r\n\r\n", {405}),
     (b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n", {200}),
     (b"GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", {404}),
     (b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", {404}),
     (b"GET /" + b"x" * 20000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", {0, 400}),
     (b"GET /health HTTP/1.1\r\n" + b"A: b\r\n" * 5000 + b"\r\n", {0, 400}),
     (b"POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      b"Content-Length: -5\r\n\r\n", {400}),
     (b"POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", {400}),
     (b"POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", {400})],
)  # fmt: skip
def test_what_is_no_request_is_refused(open_door: Served, sent: bytes, statuses: set[int]):
    assert open_door.raw(sent)[0] in statuses
    assert open_door.post()[0] == 200


def test_large_bodies_are_refused_without_being_read(open_door: Served):
    for length in (str(messages.MOST_ASKED + 1), str(10**15), "9" * 400):
        assert open_door.post(Content_Length=length)[0] in (400, 413)
    assert open_door.post(body=b" " * (messages.MOST_ASKED - len(BODY)) + BODY)[0] == 200
    head = (b"POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n")  # fmt: skip
    chunk = b"1000\r\n" + b" " * 0x1000 + b"\r\n"
    assert open_door.raw(head + chunk * 20 + b"0\r\n\r\n")[0] in (0, 400, 413)


def test_who_is_slow_is_cut_off(monkeypatch: pytest.MonkeyPatch):
    """Even who sends a byte now and then, in the header and in the body."""
    monkeypatch.setattr(application, "SECONDS_TO_ASK", 0.4)
    with Served(None) as served:
        head = (b"POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 60000\r\n\r\n")  # fmt: skip
        for first, drop in ((b"POST /run HTTP/1.1\r\n", b"X"), (head, b" "), (b"", b"\r\n")):
            with served.connected() as connection:
                connection.sendall(first)
                begin = time.monotonic()
                while time.monotonic() < begin + 15:
                    try:
                        connection.sendall(drop)
                        connection.settimeout(0.05)
                        if connection.recv(1) == b"":
                            break
                    except TimeoutError:
                        continue
                    except ConnectionError:
                        break
                else:
                    pytest.fail("it still listens")
        assert served.post()[0] == 200


def test_who_does_not_take_the_answer_is_cut_off(monkeypatch: pytest.MonkeyPatch):
    """There is one connection, which another client has as soon as it is free."""
    monkeypatch.setattr(application, "SECONDS_TO_READ", 0.3)
    monkeypatch.setattr(application, "CONNECTIONS", 1)
    with Served(None) as served, served.connected() as connection:
        body = json.dumps({"name": "large"}).encode()
        head = f"POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(f"{head}Content-Type: application/json\r\n\r\n".encode() + body)
        time.sleep(0.1)
        assert served.post()[0] == 0
        until = time.monotonic() + 15
        while served.post()[0] != 200:
            assert time.monotonic() < until, "it still sends"
            time.sleep(0.1)


def test_so_many_connections_and_no_more(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(application, "CONNECTIONS", 3)
    with Served(None) as served:
        held = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(3)]
        time.sleep(0.2)
        assert served.post()[0] == 0
        for one in held:
            one.close()
        time.sleep(0.2)
        assert served.post()[0] == 200


def test_who_goes_away_no_longer_waits(open_door: Served):
    with open_door.connected() as connection:
        body = json.dumps({"name": "long"}).encode()
        head = f"POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
        connection.sendall(f"{head}Content-Type: application/json\r\n\r\n".encode() + body)
        time.sleep(0.2)
    assert open_door.pool.cancelled.wait(10)


def test_who_goes_in_the_midst_of_a_body_leaves_nothing(open_door: Served):
    def tasks() -> int:
        return len(asyncio.all_tasks(open_door.loop))

    before = tasks()
    head = "POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    for _ in range(20):
        with open_door.connected() as connection:
            connection.sendall(f"{head}Content-Length: 100\r\n\r\n{{".encode())
            time.sleep(0.02)
    until = time.monotonic() + 10
    while tasks() > before + 2:
        assert time.monotonic() < until, "requests are left"
        time.sleep(0.1)


def headers(served: Served, sent: bytes) -> tuple[int, dict[str, str]]:
    with served.connected() as connection:
        connection.sendall(sent)
        answer = HTTPResponse(connection)
        answer.begin()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}


def test_what_is_refused_says_in_headers_what_would_do(open_door: Served, locked_door: Served):
    """As RFC 9110 wants of these answers (15.5.2, 15.5.6, 15.6.4)."""
    end = b" HTTP/1.1\r\nHost: localhost\r\n\r\n"
    status, given = headers(locked_door, b"GET /health" + end)
    assert (status, given["www-authenticate"]) == (401, "Bearer")
    for method, path, allowed in [("GET", "/run", "POST"), ("PUT", "/compile", "POST"),
                                  ("DELETE", "/health", "GET"), ("HEAD", "/run", "POST"),
                                  ("POST", "/health", "GET")]:  # fmt: skip
        status, given = headers(open_door, f"{method} {path}".encode() + end)
        assert (status, given["allow"]) == (405, allowed), (method, path)
    body = json.dumps({"name": "busy"}).encode()
    head = f"POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
    sent = f"{head}Content-Type: application/json\r\n\r\n".encode() + body
    status, given = headers(open_door, sent)
    assert (status, given["retry-after"], given["content-type"]) == (503, "5", "application/json")


def test_the_log_tells_who_took_an_answer(open_door: Served, monkeypatch: pytest.MonkeyPatch):
    """One who left while waiting, one who left while it was written, one who did not read it."""
    monkeypatch.setattr(application, "SECONDS_TO_READ", 0.3)
    said: list[str] = []
    monkeypatch.setattr(application, "print", lambda text, **more: said.append(text), raising=False)
    for name, wait in (("long", 0.1), ("large", 0.1), ("large", 1.0), ("short", None)):
        body = json.dumps({"name": name}).encode()
        head = f"POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
        with open_door.connected() as connection:
            connection.sendall(f"{head}Content-Type: application/json\r\n\r\n".encode() + body)
            if wait is None:
                assert read(connection)[0] == 200
            else:
                time.sleep(wait)
    until = time.monotonic() + 10
    while sum(" busy " not in line for line in said) < 4:
        assert time.monotonic() < until, said
        time.sleep(0.05)
    ended = sorted(line.split()[4:6] for line in said if " busy " not in line)
    gone = [["large", "gone"], ["large", "gone"], ["long", "gone"]]
    assert ended == [*gone, ["short", "200"]]


def test_too_many_and_mistakes(open_door: Served):
    with pytest.raises(InputError, match="too many wait") as raised:
        ask(open_door.url, "run", {"name": "busy"})
    assert "ask again in 5 s" in str(raised.value)
    content = ask(open_door.url, "run", {"name": "mistake"})
    assert content["exit_code"] == 70
    assert "of ours" not in str(content)


def test_the_client_names_what_is_wrong(open_door: Served):
    for url in ("localhost", "ftp://localhost", "http://", "http://a:b@localhost", "http://x:y"):
        with pytest.raises(InputError, match="no address of a service"):
            ask(url, "run", {"name": "a"})
    with pytest.raises(InputError, match=r"cannot ask http://127\.0\.0\.1:1: "):
        ask("http://127.0.0.1:1", "run", {"name": "a"})
    with pytest.raises(InputError, match=r"did not answer within 0\.2 s"):
        ask(open_door.url, "run", {"name": "long"}, seconds=0.2)
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        port = other.getsockname()[1]

        def reply() -> None:
            connection, _ = other.accept()
            connection.recv(4096)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
            connection.close()

        threading.Thread(target=reply).start()
        with pytest.raises(InputError, match="is no service of simrun"):
            ask(f"http://127.0.0.1:{port}", "run", {"name": "a"})
