"""When Python looks for cycles among objects that nothing else refers to.

It looks after so many new objects, through more the older they are.  What a start makes (modules,
classes, a machine, a program) mostly stays; to look through it took a tenth of a small run.  So a
process of simrun's own looks rarely until the run begins, and then no more through what is there,
and less often than Python would: what a run makes mostly goes by itself, and of a chip's events a
sixth of its time went into looking.
"""

from __future__ import annotations

import gc

RARELY = 1_000_000
"""Objects: more than a start makes.  Not never: compilers leave cycles, and memory is finite."""

NOW_AND_THEN = 20_000
"""Objects: a millisecond's look, some megabytes of what is left behind at most."""

_usual: list[tuple[int, int, int]] = []


def put_off() -> None:
    """Look rarely, until `resume`."""
    _usual.append(gc.get_threshold())
    gc.set_threshold(RARELY, *gc.get_threshold()[1:])


def resume() -> None:
    """Look now and then, if that was put off, and only through what is made from now on."""
    if _usual:
        gc.freeze()
        _, *older = _usual.pop()
        gc.set_threshold(NOW_AND_THEN, *older)
