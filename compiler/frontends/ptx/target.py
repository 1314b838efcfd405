"""Which machines run the code of a file: what its `.target` says against their compute capability.

sm_80    of compute capability 8.0 and above
sm_100f  of 10.0 and above of the same family: 10.3, but not 12.0
sm_90a   of 9.0 alone

(PTX ISA 9.0, `.target`: code for a target runs on those that follow it, but for the instructions of
one architecture, `a`, or of one family, `f`.)
"""

from __future__ import annotations

import re

from compiler.frontends.ptx.findings import Refused

TARGET = re.compile(r"sm_(?P<major>\d{1,2})(?P<minor>\d)(?P<only>[af]?)")
_WHO = {"": "or later", "f": "or later of that family", "a": "alone"}


def number_of(target: str) -> int:
    """The compute capability that a target names, times 10: 90 of sm_90a; 0 if it names none."""
    of = TARGET.fullmatch(target)
    return 10 * int(of["major"]) + int(of["minor"]) if of else 0


def objection(target: str, at: int, machine: str, capability: float) -> Refused | None:
    """Why a machine of a compute capability does not run code for a target that stands at a place;
    None if it does."""
    of = TARGET.fullmatch(target)
    wanted = int(of["major"]), int(of["minor"])
    own = int(capability), round(capability * 10) % 10
    runs = {"": own >= wanted, "f": own >= wanted and own[0] == wanted[0], "a": own == wanted}
    if runs[of["only"]]:
        return None
    version = ".".join(map(str, wanted))
    message = (
        f"code for {target} runs on compute capability {version} {_WHO[of['only']]}, and "
        f"'{machine}' has {'.'.join(map(str, own))}"
    )
    hint = f"compile for sm_{own[0]}{own[1]}, or take the machine for one that has it: "
    hint += f"--set compute_capability={version}"
    return Refused(message, hint, at=at, length=len(target))
