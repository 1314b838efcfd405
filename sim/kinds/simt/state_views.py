"""What a session shows of a GPU: its resident warps, where they are, and what they wait for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from machines.kinds.simt.reconvergence import LIVE, MASK, PC
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt.drive import SimtCore
from sim.cores.simt.units.block_dispatcher import SLOTS
from sim.cores.simt.units.pipes import USE
from sim.cores.simt.units.stalls import WAIT
from sim.state_views import StateView, place

ALL = (1 << 64) - 1
"""Bits of a mask of lanes."""


def warps(core: SimtCore) -> Iterator[dict[str, Any]]:
    """A row for each warp, in the order of SMs and of their slots."""
    groups = core.state.groups
    for warp in core.live_warps():
        sm, slot = core.place(warp)
        grid, block, first = core.identity(warp)
        running = groups.running[warp].tolist()
        pc, left = running[PC], running[LIVE] & ALL
        lanes = running[MASK] & left if pc >= 0 else 0
        yield {
            "sm": sm,
            "slot": slot,
            "grid": grid,
            "block": ",".join(map(str, block)),
            "thread": first,
            "pc": pc if pc >= 0 else None,
            "lanes": lanes.bit_count(),
            "others": (left & ~lanes).bit_count(),
            "reason": _reason(core, warp),
            "source": place(core.location(pc)),
        }


def _reason(core: SimtCore, warp: int) -> str | None:
    """What keeps a warp from issuing in this cycle; None if nothing but other warps may.

    It is what `sim.cores.simt.cycle.stalls` would charge the cycle to.
    """
    now, machine, state = core.cycle, core.machine, core.state
    columns = state.warps.reshape(-1, at.WARP_COLUMNS)[warp]
    core_warps = machine.limits.warps // machine.subcores
    subcore, bit = divmod(warp, core_warps)
    leaving = int(state.subcores.reshape(-1, at.SUBCORE_COLUMNS)[subcore, SLOTS.LEAVING])
    # In its last cycle a warp still has its slot, until it is the turn of its sub-core.
    if now < columns[WAIT.HELD_UNTIL] or leaving >> bit & 1:
        return why.REASONS[columns[WAIT.HOLD_REASON]].name
    if now < columns[WAIT.CHECK_UNTIL]:
        return why.REASONS[why.RECONVERGENCE_CHECK].name
    if now < state.ready_at[warp]:
        return why.REASONS[columns[WAIT.WAIT_REASON]].name
    pipe = state.code.reshape(-1, at.CODE_COLUMNS)[state.next_pcs[warp], USE.PIPE]
    free_at = state.free_at.reshape(machine.sms * machine.subcores, -1)
    if now < free_at[subcore, pipe]:
        return why.REASONS[state.throttles[pipe]].name
    return None


STATE_VIEWS = (
    StateView(
        "warps",
        "The resident warps: their block and first thread, where they are, how many lanes run "
        "there and how many others are left, and what keeps the warp from issuing.",
        warps,
    ),
)
