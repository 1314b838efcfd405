"""Machines for the tests of the compiler."""

from __future__ import annotations

import pytest

from machines.description.load import Machine, load_machine


@pytest.fixture(scope="session")
def itanium2() -> Machine:
    return load_machine("itanium2")


@pytest.fixture(scope="session")
def cramped() -> Machine:
    """An Itanium 2 whose register files hold next to nothing, so that nearly everything spills.

    General registers are r8 to r11 and the eight argument registers, predicates p1 to p3, floating
    registers the eight argument registers and f2 to f4.
    """
    return load_machine(
        "itanium2",
        [
            "registers.general.count=40",
            "registers.general.rotating=[32, 39]",
            "registers.general.reserved=[0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15, 16, 17, 18, 19, "
            "20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]",
            "registers.predicate.count=4",
            "registers.predicate.rotating=null",
            "registers.floating.count=16",
            "registers.floating.rotating=null",
            "registers.floating.reserved=[0, 1, 5, 6, 7]",
        ],
    )
