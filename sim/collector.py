"""When Python looks for cycles among objects that nothing else refers to.

It looks after so many new objects, through more the older they are.  What a start makes (modules,
classes, a machine, a program) mostly stays; to look through it took a tenth of a small run.  So a
process of simrun's own looks rarely until the run begins, and then no more through what is there.
"""

from __future__ import annotations

import gc

RARELY = 1_000_000
"""Objects: more than a start makes.  Not never: compilers leave cycles, and memory is finite."""

_usual: list[tuple[int, int, int]] = []


def put_off() -> None:
    """Look rarely, until `resume`."""
    _usual.append(gc.get_threshold())
    gc.set_threshold(RARELY, *gc.get_threshold()[1:])


def resume() -> None:
    """Look as usual, if that was put off, and only through what is made from now on."""
    if _usual:
        gc.freeze()
        gc.set_threshold(*_usual.pop())
