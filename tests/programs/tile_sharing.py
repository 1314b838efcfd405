"""Who may touch what the cores of a chip share, phase by phase, so that no two of them race.

    phase 0   every core uses its own part of `s`
              sync_cluster 0
    phase 1   the MEM core sends `s` to all

Programs go on in phases, with a barrier behind each.  In a phase a resource has one role, which
says who touches it and how.  Roles follow one another only where barriers let whoever touches a
part of it later know that whoever touched it before has done so.  What barriers tell whom is worked
out on a small chip, for the part that belongs to its first core.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

Party = tuple[str, int, int]
"""What it runs (ipu, mem), cluster, core."""

SELF, SAME, OTHER = ("ipu", 0, 0), ("ipu", 0, 1), ("ipu", 1, 0)
MEM, FAR_MEM = ("mem", 0, 2), ("mem", 1, 2)
EVERYBODY = (SELF, SAME, OTHER, ("ipu", 1, 1), MEM, FAR_MEM)

Role = Mapping[Party, str]
"""Who touches the part of the first core, and how: 'r', 'w' or 'rw'."""

OWN: Role = {SELF: "rw"}
BY_MEM: Role = {MEM: "rw"}
ROLES: Mapping[str, Mapping[str, Role]] = {
    "dram": {"own": OWN, "mem": BY_MEM, "read": dict.fromkeys(EVERYBODY, "r")},
    "sram": {
        "own": OWN,
        "mem": BY_MEM,
        "read": dict.fromkeys((SELF, SAME, MEM), "r"),
        "far": {FAR_MEM: "w"},
    },
    "sent": {"own": OWN, "sent": {MEM: "w"}},
    "passed": {"own": OWN, "passed": {SAME: "w"}},
}
"""Of every kind of resource: parts in DRAM and SRAM, and buffers of a core that the MEM core or
another core writes."""
WITH_MEM = {"mem", "far", "sent"}
"""Roles that need a MEM core."""

BARRIERS = ("sync_cluster", "sync_all", "sync_all_ipu", "sync_all_ipu_within_cluster")


def groups(barrier: str) -> list[set[Party]]:
    """Those who meet."""
    roles = {"ipu", "mem"} if barrier in ("sync_cluster", "sync_all") else {"ipu"}
    found = [{one for one in EVERYBODY if one[0] in roles and one[1] == c} for c in (0, 1)]
    return [found[0] | found[1]] if barrier in ("sync_all", "sync_all_ipu") else found


def who_knows(party: Party, barriers: Iterable[str]) -> set[Party]:
    """Who knows after these barriers what a party did before."""
    known = {party}
    for barrier in barriers:
        for group in groups(barrier):
            if known & group:
                known |= group
    return known


def may_follow(before: Role, after: Role, barriers: Sequence[str]) -> bool:
    """Whether a role may come so many barriers behind another one."""
    return all(
        second in who_knows(first, barriers)
        for first, did in before.items()
        for second, does in after.items()
        if "w" in did + does
    )


def choose_roles(
    stream: random.Random, kind: str, phases: Sequence[int], barriers: Sequence[str], has_mem: bool
) -> dict[int, str]:
    """A role for some phases, at random.

    phases    as they run, each perhaps several times
    barriers  behind each of them
    """
    known = ROLES[kind.rstrip("2")]
    roles = [role for role in known if has_mem or role not in WITH_MEM]
    chosen = {phase: stream.choice(roles) for phase in sorted(set(phases))}
    while True:
        wrong = [
            (phases[i], phases[j])
            for j in range(len(phases))
            for i in range(j)
            if phases[i] in chosen and phases[j] in chosen
            and not may_follow(
                known[chosen[phases[i]]], known[chosen[phases[j]]], barriers[i:j]
            )
        ]  # fmt: skip
        if not wrong:
            return chosen
        del chosen[stream.choice(stream.choice(wrong))]
