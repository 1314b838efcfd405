"""Links cycle by cycle: what `transfers.sharing` works out at once from one arrival or end to the
next, as a plain loop over cycles and bytes.

served_in_turn   one link, which serves those that wait for it so many bytes in turn
handed_out       many links: in each cycle what they carry is handed out round robin in small pieces
                 to whoever can use them on all of its links
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numba import njit

PIECES = 2048
"""Pieces in what the narrowest link carries in a cycle: many, as one of a row that is opened weighs
more than six others."""


@dataclass(frozen=True)
class Load:
    """Bytes from cycle `start` on; `way`: number of a link, and the bytes that it carries."""

    start: int
    size: int
    way: tuple[tuple[int, int], ...]


def served_in_turn(capacity: Fraction, turn: int, loads: Sequence[Load]) -> list[int]:
    """When each has ended; their order is that of their turns."""
    units = capacity.denominator
    left = [load.size * units for load in loads]
    done: dict[int, int] = {}
    waiting: list[int] = []
    at = chunk = cycle = 0
    while len(done) < len(loads):
        for number, load in enumerate(loads):
            if load.start == cycle:
                position = sum(other < number for other in waiting)
                waiting.insert(position, number)
                if len(waiting) == 1:
                    at, chunk = 0, min(turn * units, left[number])
                elif position <= at:
                    at += 1
        amount = capacity.numerator
        while amount and waiting:
            number = waiting[at]
            step = min(amount, chunk)
            left[number] -= step
            chunk -= step
            amount -= step
            if chunk == 0:
                if left[number]:
                    at += 1
                else:
                    waiting.pop(at)
                    done[number] = cycle + 1
                if waiting:
                    at %= len(waiting)
                    chunk = min(turn * units, left[waiting[at]])
        cycle += 1
    return [done[number] for number in range(len(loads))]


def handed_out(capacities: Sequence[Fraction], loads: Sequence[Load]) -> list[int]:
    """When each has ended."""
    weights = np.zeros((len(loads), len(capacities)))
    for number, load in enumerate(loads):
        for link, size in load.way:
            weights[number, link] = size / load.size
    starts = np.array([load.start for load in loads])
    sizes = np.array([load.size for load in loads], float)
    carried = np.array([float(capacity) for capacity in capacities])
    piece = min(carried) / PIECES
    done = np.zeros(len(loads), np.int64)
    _handed_out(carried, weights * piece, starts, np.ceil(sizes / piece), done)
    return done.tolist()


@njit(cache=True)
def _handed_out(capacities, costs, starts, left, done):
    """`costs`: of a piece on each link; `left`: pieces."""
    count, links = costs.shape
    budget, most = np.zeros(links), costs.max()
    full, stopped = np.zeros(links, np.int64), np.zeros(count, np.int64)
    ended = cycle = 0
    while ended < count:
        for link in range(links):  # what was too little for the next one is kept
            budget[link] = capacities[link] + min(budget[link], most)
            full[link] = 0
        going = 0
        for number in range(count):
            stopped[number] = starts[number] > cycle or left[number] == 0
            going += 1 - stopped[number]
        turn = cycle
        while going:
            turn += 1
            number = turn % count
            if stopped[number]:
                continue
            for link in range(links):
                if costs[number, link] > 0:
                    if costs[number, link] > budget[link]:
                        full[link] = 1
                    if full[link]:
                        stopped[number] = 1
            if not stopped[number]:
                for link in range(links):
                    budget[link] -= costs[number, link]
                left[number] -= 1
                if left[number] == 0:
                    ended += 1
                    done[number] = cycle + 1
                    stopped[number] = 1
            going -= stopped[number]
        cycle += 1
