"""The standard streams, whatever they lead to: a terminal without bars, a closed pipe, nothing."""

from __future__ import annotations

import codecs
import io
import os
import sys
from contextlib import suppress

_SUBSTITUTES = {"█": "#", "▏": "|", "…": "...", "→": "->", "▶": ">", "─": "-", "µ": "u", "²": "^2"}
"""What simrun's own characters become in an encoding without them."""


def prepare_streams() -> None:
    """Let every text be printed in every encoding; a stream that is closed takes all and keeps
    nothing."""
    codecs.register_error("simrun", _substitute)
    if sys.stdout is sys.__stdout__ and sys.stdout is not None:
        # A reader that goes away does not change what the command does, nor its exit code.
        raw = _Outliving(sys.stdout.fileno(), "w", closefd=False)
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(raw),
            encoding=sys.stdout.encoding,
            line_buffering=sys.stdout.line_buffering,
        )
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
        stream = getattr(sys, name)
        if hasattr(stream, "reconfigure"):  # what a program puts there may take every text already
            stream.reconfigure(errors="simrun")


class _Outliving(io.FileIO):
    """A file that takes what it is given, and keeps nothing, once its reader has gone."""

    def write(self, data: bytes) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            return len(data)


def flush_or_discard() -> None:
    """Print what is left, or drop it if it cannot be printed: Python would try again at its end
    and fail in its own words."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError):  # a stream that is no file
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _substitute(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(_SUBSTITUTES.get(character, "?") for character in missing), error.end
