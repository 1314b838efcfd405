"""How the service is asked, by the standard library alone.

content = ask("http://127.0.0.1:8040", "run", {"name": "saxpy/workload.yaml"})
"""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import SplitResult, urlsplit

from machines.diagnostics import InputError, input_error
from sim.serve.messages import FORMAT, MOST_ANSWERED, finding_of

_CONNECTIONS = {"http": HTTPConnection, "https": HTTPSConnection}


def ask(
    url: str, kind: str, asked: dict[str, Any], token: str | None = None, seconds: float = 600
) -> dict[str, Any]:
    """The answer to a request, with the exit code that it has on the command line.

    Raises InputError with the findings of the server, and if there is no server, or it is none of
    simrun's.
    """
    content = _content(url, _sent(_read(url), kind, asked, token, seconds, url))
    if content["exit_code"] == 2:
        raise InputError(content["diagnostics"])
    return content


def _read(url: str) -> SplitResult:
    try:
        address = urlsplit(url)
        wrong = address.scheme not in _CONNECTIONS or not address.hostname or "@" in address.netloc
        address.port  # noqa: B018  raises ValueError
    except ValueError:
        wrong = True
    if wrong:
        raise input_error(f"'{url}' is no address of a service", hint="http://127.0.0.1:8040")
    return address


def _sent(
    address: SplitResult, kind: str, asked: dict[str, Any], token: str | None, seconds: float,
    url: str,
) -> bytes:  # fmt: skip
    """The body of the answer."""
    headers = {"Content-Type": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    connection = _CONNECTIONS[address.scheme](address.hostname, address.port, timeout=seconds)
    try:
        path = f"{address.path.rstrip('/')}/{kind}"
        connection.request("POST", path, json.dumps(asked).encode(), headers)
        return connection.getresponse().read(2 * MOST_ANSWERED)
    except TimeoutError:
        raise input_error(f"{url} did not answer within {seconds:g} s") from None
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "strerror", None) or error or type(error).__name__
        raise input_error(f"cannot ask {url}: {reason}", hint="does it run there?") from None
    finally:
        connection.close()


def _content(url: str, body: bytes) -> dict[str, Any]:
    """The answer as data, its diagnostics read."""
    try:
        content = json.loads(body)
        if content["format"] != FORMAT:
            message = f"{url} answers in format {content['format']}, and this simrun reads {FORMAT}"
            raise input_error(message, hint="use the simrun of the server")
        content["diagnostics"] = [finding_of(one) for one in content["diagnostics"]]
        content["exit_code"] = int(content["exit_code"])
    except (ValueError, TypeError, KeyError, RecursionError):
        raise input_error(f"what answers at {url} is no service of simrun") from None
    return content
