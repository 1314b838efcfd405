"""The service over HTTP: who may ask, how much, how slowly.

    await serve(pool, Door("127.0.0.1", 8040, token=None), print, told_to_end)

Tornado bounds what a client may send (its header and its body, each in bytes and in seconds
altogether, so that one who sends a byte now and then is cut off) and is asked for little else.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import socket
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream, StreamClosedError
from tornado.netutil import bind_sockets
from tornado.web import Application, HTTPError, RequestHandler, stream_request_body

from machines.diagnostics import Diagnostic, InputError, input_error
from sim.serve import messages
from sim.serve.pool import Busy, Pool
from sim.version import release

CONNECTIONS = 128
"""At a time; who comes then is turned away."""
MOST_HEADER = 16 << 10
"""Bytes of a request's first lines."""
SECONDS_TO_ASK = 10.0
"""Within which the header is there, and within which the body is."""
SECONDS_TO_READ = 30.0
"""Within which a client has taken its answer."""
SECONDS_TO_END = 10.0
"""For what is under way when the service is told to end."""
SECONDS_TO_WAIT = 5
"""After which one who was turned away should ask again."""
GONE = "gone"
"""In the log, in place of HTTP's number, of who did not take the answer."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""Names by which a page of some other host cannot call this one."""


@dataclass(frozen=True)
class Door:
    """Where the service is to be found; without a token only from this computer."""

    host: str
    port: int
    token: str | None = None


class Refused(HTTPError):
    """A request that is not taken, with what is said of it, and the headers that say it."""

    def __init__(self, status: int, message: str, hint: str | None = None, **headers: str):
        super().__init__(status)
        self.finding = Diagnostic(message, hint=hint)
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class Handler(RequestHandler):
    """What every answer has: JSON, and the right to be given."""

    takes = ("GET",)
    """Its methods."""
    named = "-"
    """For the log: what was asked for."""
    has_gone = False
    """Whether who asked has left without the answer."""

    def initialize(self, door: Door) -> None:
        self.door = door

    def set_default_headers(self) -> None:
        self.set_header("Server", "simrun")
        self.set_header("Content-Type", "application/json")
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Content-Type-Options", "nosniff")

    def prepare(self) -> None:
        """Before the body is read: raises Refused for who may not ask."""
        self._check_right()
        if self.request.method not in self.takes:
            takes = ", ".join(self.takes)
            message = f"there is no {self.request.method[:20]!r} of {self.request.path[:60]!r}"
            raise Refused(messages.NO_METHOD, message, f"it takes {takes}", Allow=takes)

    def _check_right(self) -> None:
        if self.door.token is None:
            # Pages that a browser shows may not ask by a name that they let lead here.
            name = self.request.host_name.strip("[]").lower()
            if name not in {*LOOPBACK, self.door.host.lower()}:
                message = "without a token this service is asked by the name of this computer"
                raise Refused(messages.FOREIGN_HOST, message, f"one of {', '.join(LOOPBACK)}")
            return
        scheme, _, given = self.request.headers.get("Authorization", "").partition(" ")
        known = hmac.compare_digest(given.strip().encode(), self.door.token.encode())
        if scheme.lower() != "bearer" or not known:
            message, hint = "the token is missing or wrong", "--token-file FILE, or SIMRUN_TOKEN"
            raise Refused(messages.UNKNOWN_TOKEN, message, hint, WWW_Authenticate="Bearer")

    def write_error(self, status_code: int, **more: object) -> None:
        error = more["exc_info"][1] if "exc_info" in more else None
        known = isinstance(error, Refused)
        for name, value in error.headers.items() if known else ():
            self.set_header(name, value)
        finding = error.finding if known else Diagnostic(f"{status_code} {self._reason}")
        exit_code = 70 if status_code == messages.OUR_MISTAKE else 2
        self.finish(messages.written(messages.refused([finding], exit_code)))

    async def say(self, status: int, body: bytes) -> None:
        """Send an answer; who does not take it in time is cut off."""
        connection = self.request.connection
        self.sent = connection.stream.sent
        self.sent.last = None
        self.set_status(status)
        self._is_being_said = True
        try:
            await asyncio.wait_for(self.finish(body), SECONDS_TO_READ)
            if self.sent.last is None:
                raise StreamClosedError
            await self.sent.last  # what `finish` gives does not tell that it failed
        except StreamClosedError:
            self.has_gone = True
        except TimeoutError:
            self.has_gone = True
            connection.close()
        finally:
            _log(self)

    _is_being_said = False

    def log(self) -> None:
        """Tornado has an answer, which it now begins to send; of one that takes its time the end
        is waited for."""
        if not self._is_being_said:
            _log(self)


class Nothing(Handler):
    """Paths where there is nothing."""

    def prepare(self) -> None:
        self._check_right()
        raise Refused(404, "there is nothing here", "POST /compile, POST /run, GET /health")


class Health(Handler):
    """Whether the service is there, and which."""

    async def get(self) -> None:
        body = messages.written({"exit_code": 0, "diagnostics": [], "simrun": release()})
        await self.say(messages.DONE, body)


@stream_request_body
class Ask(Handler):
    """`POST /compile` and `POST /run`."""

    takes = ("POST",)

    def initialize(self, door: Door, pool: Pool) -> None:
        super().initialize(door)
        self.pool = pool
        self.body = bytearray()
        self.waiting: asyncio.Task | None = None

    def prepare(self) -> None:
        super().prepare()
        # No other page may send this without asking first, which nobody answers.
        kind = self.request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            message = f"the body is to be application/json, not '{kind[:60]}'"
            raise Refused(messages.NOT_JSON, message)
        length = self.request.headers.get("Content-Length", "0")
        if length.isdecimal() and int(length[:20]) > messages.MOST_ASKED:
            self.request.connection.set_max_body_size(int(length[:20]))  # it is not read
            self._refuse_size()

    def data_received(self, chunk: bytes) -> None:
        self.body += chunk
        if len(self.body) > messages.MOST_ASKED:
            self._refuse_size()

    def _refuse_size(self) -> None:
        message = f"the request is larger than {messages.MOST_ASKED >> 10} KiB"
        raise Refused(messages.TOO_LARGE, message)

    async def post(self, kind: str) -> None:
        try:
            asked = messages.read_request(kind, bytes(self.body))
        except InputError as error:
            body = messages.written(messages.refused(error.diagnostics))
            await self.say(messages.REFUSED, body)
            return
        self.named = asked.name
        self.waiting = asyncio.ensure_future(self.pool.ask(asked))
        try:
            answered = await self.waiting
        except Busy:
            hint, seconds = f"ask again in {SECONDS_TO_WAIT} s", str(SECONDS_TO_WAIT)
            message = "too many wait for the server"
            raise Refused(messages.BUSY, message, hint, Retry_After=seconds) from None
        except asyncio.CancelledError:
            self.has_gone = True
            return
        await self.say(answered.status, answered.body)

    def on_connection_close(self) -> None:
        super().on_connection_close()
        self.has_gone = True
        if self.waiting is not None:
            self.waiting.cancel()


class Sent:
    """What was written to a stream last, until it was taken or the stream has ended."""

    def __init__(self, stream: IOStream):
        self._write = stream.write
        self.last: Awaitable[None] | None = None

    def write(self, data: bytes) -> Awaitable[None]:
        self.last = self._write(data)
        return self.last


class Server(HTTPServer):
    """With so many connections at a time, and no more."""

    count = 0

    def handle_stream(self, stream: IOStream, address: tuple) -> None:
        if self.count >= CONNECTIONS:
            stream.close()
            return
        self.count += 1
        stream.sent = Sent(stream)
        stream.write = stream.sent.write
        super().handle_stream(stream, address)

    def on_close(self, server_conn: object) -> None:
        self.count -= 1
        super().on_close(server_conn)


def bound(door: Door) -> list[socket.socket]:
    """The sockets of a door; raises InputError if it is not there, or is open to other computers
    without a token."""
    try:
        sockets = bind_sockets(door.port, door.host)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise input_error(f"cannot serve at {door.host}, port {door.port}: {reason}") from None
    addresses = [ipaddress.ip_address(one.getsockname()[0].partition("%")[0]) for one in sockets]
    if door.token is None and not all(address.is_loopback for address in addresses):
        for one in sockets:
            one.close()
        message = f"{door.host} is open to other computers, and there is no token"
        raise input_error(message, hint="--token-file FILE, or SIMRUN_TOKEN, or --host 127.0.0.1")
    return sockets


async def serve(
    pool: Pool, door: Door, on_ready: Callable[[str], None], told: asyncio.Event
) -> None:
    """Answer until `told` to end; `on_ready` is told the address.  Raises InputError as `bound`."""
    sockets = bound(door)
    handlers = [
        (r"/(compile|run)", Ask, {"door": door, "pool": pool}),
        (r"/health", Health, {"door": door}),
    ]
    application = Application(
        handlers, default_handler_class=Nothing, default_handler_args={"door": door},
        log_function=Handler.log,
    )  # fmt: skip
    server = Server(
        application,
        max_header_size=MOST_HEADER,
        max_body_size=messages.MOST_ASKED,
        max_buffer_size=4 * messages.MOST_ANSWERED,
        idle_connection_timeout=SECONDS_TO_ASK,
        body_timeout=SECONDS_TO_ASK,
    )
    server.add_sockets(sockets)
    name = f"[{door.host}]" if ":" in door.host else door.host
    on_ready(f"http://{name}:{sockets[0].getsockname()[1]}")
    await told.wait()
    server.stop()
    with suppress(TimeoutError):
        await asyncio.wait_for(pool.rest(), SECONDS_TO_END)
    await server.close_all_connections()


def _log(handler: Handler) -> None:
    """A line for each request: when, who, what of which name, how it ended, seconds."""
    request, name = handler.request, handler.named
    how = GONE if handler.has_gone else handler.get_status()
    when = time.strftime("%Y-%m-%dT%H:%M:%S")
    path = request.path if request.path.isprintable() else ascii(request.path)
    shown = name if name.isprintable() else ascii(name)
    print(
        f"{when} {request.remote_ip} {request.method} {path[:100]} {shown[:200]} "
        f"{how} {request.request_time():.3f}",
        file=sys.stderr, flush=True,
    )  # fmt: skip
