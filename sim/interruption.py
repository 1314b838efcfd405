"""Lets Ctrl-C wait for a moment at which a run can be broken off: between two of its steps.

with held_back() as let_through:
    while …:
        …                        # whole, though Ctrl-C comes in the middle of it
        let_through()            # here it is what it would have been: KeyboardInterrupt, mostly
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class Interrupted(KeyboardInterrupt):
    """A run that was broken off; `result` is what it had come to."""

    def __init__(self, result: Any):
        super().__init__()
        self.result = result


SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def held_back() -> Iterator[Callable[[], None]]:
    """Hold the signals that end a command until the function given is called, or the block ends.

    They then go to whose they were; so does a second one, at once, for a step may never end.
    Left alone are those that no Python code handles, and all of them outside of the main thread.
    """
    in_main = threading.current_thread() is threading.main_thread()
    handlers = {number: signal.getsignal(number) for number in SIGNALS if in_main}
    handlers = {number: handler for number, handler in handlers.items() if callable(handler)}
    held: list[int] = []

    def hold(number: int, frame: FrameType | None) -> None:
        if held:
            handlers[number](number, frame)
        else:
            held.append(number)

    def let_through() -> None:
        if held:
            number = held.pop()
            handlers[number](number, None)

    for number in handlers:
        signal.signal(number, hold)
    try:
        yield let_through
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    let_through()
