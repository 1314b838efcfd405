"""Runs in which packets get and lose code of their own at random cycles, to compare with runs in
which none has any: nothing may differ.

    with without_code() as cores:
        expected = simulate(…)
    with switched_code(cores[0].issued(), seed=7):
        assert simulate(…) == expected
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random

import numpy as np
import pytest

from sim.cores.epic import bind_packets, drive
from sim.cores.epic import state as at
from sim.cores.epic.hot_packets import HotPackets, Part


class WithoutCode(HotPackets):
    """No packet gets code."""

    next_look = at.NEVER

    def look(self) -> None:
        pass

    def end(self) -> None:
        pass

    def issued(self) -> list[int]:
        """The packets that have issued, but for the one past the end of the code."""
        return np.flatnonzero(self.state.packet_counts[:-1]).tolist()


@contextmanager
def without_code() -> Iterator[list[WithoutCode]]:
    """Gives a list of what each core within has, which grows."""
    made: list[WithoutCode] = []

    def make(*words) -> WithoutCode:
        made.append(WithoutCode(*words))
        return made[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drive, "HotPackets", make)
        yield made


@contextmanager
def with_code(part: Part) -> Iterator[None]:
    """Packets have code, made by a core of the same program, from the beginning on."""

    class WithCode(WithoutCode):
        def __init__(self, *words):
            super().__init__(*words)
            self.take(part)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drive, "HotPackets", WithCode)
        yield


@contextmanager
def switched_code(packets: Sequence[int], seed: int) -> Iterator[list[int]]:
    """Some packets have code, in half of all cases such as long programs have; whenever a core is
    called it is left to other random ones of them.

    Gives a list of how many had code at each call, which grows.
    """
    random, numbers = Random(seed), []

    class Switching(HotPackets):
        next_look = at.NEVER

        def look(self) -> None:
            if not self.parts:
                self.take(self.bind(packets))
                self.addresses = self.state.bound.copy()
            share = random.choice((0, 0.5, 0.9, 1, 1))
            chosen = np.array([random.random() < share for _ in self.addresses])
            self.state.bound[:] = np.where(chosen, self.addresses, 0)
            numbers.append(int(np.count_nonzero(self.state.bound)))

        def end(self) -> None:
            pass

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drive, "HotPackets", Switching)
        patch.setattr(bind_packets, "LONG", random.choice((0, bind_packets.LONG)))
        yield numbers
