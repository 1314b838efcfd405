"""Phis that a trial renaming shows to be redundant: all operands have one definition point.

    x2 = phi [BB1: x1, BB4: x2]     x2 is x1: an operand that is the phi itself does not count
    x3 = phi [BB2: x1, BB3: x2]     x3 is x1 too, once x2 is

Removing one may make others redundant, so it goes on until nothing changes.  A phi without any use
and without a predicated value linked to it, which could go too, is never there: phis stand only
where their variable is live (`compiler.analyses.phi_places`), so that something on the way to a use
takes their value, and a phi that goes leaves what takes its value to its operand.
"""

from __future__ import annotations


def redundant_phis(operands: dict[int, list[int]]) -> dict[int, int]:
    """For every phi that may go the value that all its operands are in the end, itself aside."""
    users: dict[int, list[int]] = {}
    for phi, values in operands.items():
        for value in values:
            users.setdefault(value, []).append(phi)
    same_as: dict[int, int] = {}
    pending = list(operands)
    while pending:
        phi = pending.pop()
        points = {_follow(same_as, value) for value in operands[phi]} - {phi}
        if phi not in same_as and len(points) == 1:
            (same_as[phi],) = points
            freed = users.pop(phi, [])
            pending += freed
            users.setdefault(same_as[phi], []).extend(freed)
    return {phi: _follow(same_as, phi) for phi in same_as}


def _follow(same_as: dict[int, int], value: int) -> int:
    """What a value is the same as in the end; shortens the way there for the next time."""
    while value in same_as:
        further = same_as[value]
        if further in same_as:
            same_as[value] = same_as[further]
        value = further
    return value
