"""How a product is laid on the cores of a chip.

All candidates are looked at: sizes of tiles, which operand stays while others come and go, whether
the weights come to each core by itself or to a cluster together, and how the cores share the digits
of tiles.  Of each the cycles are estimated (`…templates.cost_model`), and the least is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import inf, prod
from typing import Any, Literal

from compiler.targets.cluster.network.given_mappings import GivenMapping, GivenTile
from compiler.targets.cluster.network.means import ALL, Means
from compiler.targets.cluster.network.templates.cost_model import CostModel, Estimate
from compiler.targets.cluster.network.templates.followers import Followers
from compiler.targets.cluster.network.templates.geometry import Geometry, Tile
from compiler.targets.cluster.network.tile_text import Explanation
from machines.diagnostics import input_error
from machines.kinds.cluster.fields import Cluster

Stays = Literal["weights", "inputs", "nothing"]
Served = Literal["", "weights", "inputs"]
"""What the MEM core of a cluster loads and sends to its cores."""
WAYS: tuple[tuple[Stays, Served], ...] = (
    ("weights", ""), ("inputs", ""), ("nothing", ""),
    ("weights", "weights"), ("inputs", "weights"), ("nothing", "weights"), ("weights", "inputs"),
)  # fmt: skip
SHOWN = 16
"""Sizes that a hint names."""
WORTHWHILE = 1.5
"""What takes more than so many times the least is not looked at further, though it may be the best
of its way."""


@dataclass(frozen=True, slots=True)
class Mapping:
    """How a layer is done.

    stays     the operand of which a tile stays while those of the other one, and of the result,
              come and go beside computing; 'nothing': both come for each step
    served    what comes to the cores of a cluster together, by its MEM core
    split     parts into which the digits q, t and g are shared: by cores; where cores are served,
              by clusters, and the cores of each share its part of t (of g where inputs are served)
    """

    tile: Tile
    stays: Stays
    served: Served
    split: tuple[int, int, int]
    estimate: Estimate

    def __str__(self) -> str:
        return f"{self.way}: {self.estimate}"

    @property
    def way(self) -> str:
        """All but what it is expected to take."""
        rows = " × ".join(map(str, self.tile.rows))
        who = f"{self.served} served, clusters" if self.served else "cores"
        parts = f" in {self.tile.parts} parts" if self.tile.parts > 1 else ""
        stays = "nothing stays" if self.stays == "nothing" else f"{self.stays} stay"
        return (
            f"{rows} rows{', packed' if self.tile.is_packed else ''}, {self.tile.columns} "
            f"columns{parts}, {stays}, {who} "
            f"{' × '.join(map(str, self.split))}"
        )

    def to_dict(self) -> dict[str, Any]:
        tile, (q, t, g) = self.tile, self.split
        return {
            "tile": {
                "rows": list(tile.rows), "columns": tile.columns, "problems": tile.problems,
                "parts": tile.parts, "packed": tile.is_packed,
            },
            "stays": self.stays,
            "served": self.served or None,
            "shared_by": "clusters" if self.served else "cores",
            "split": {"problems": q, "rows": t, "columns": g},
            "cycles": self.estimate.cycles,
            "bound": self.estimate.ticks.bound,
            "engines": self.estimate.ticks.to_dict(),
        }  # fmt: skip


@dataclass(frozen=True)
class Choice:
    """The mapping that was chosen, or given, and behind it the best of each other way."""

    ranked: tuple[Mapping, ...]
    is_given: bool = False

    @property
    def chosen(self) -> Mapping:
        return self.ranked[0]

    @property
    def other(self) -> Mapping | None:
        return self.ranked[1] if len(self.ranked) > 1 else None

    def __str__(self) -> str:
        if self.other is None:
            return f"{self.chosen}; there is no other way"
        return f"{self.chosen}; next {self.other}, {self._more}"

    @property
    def _more(self) -> str:
        assert self.other is not None
        more = self.other.estimate.cycles / max(self.chosen.estimate.cycles, 1) - 1
        return f"{100 * more:.0f} % more"

    @cached_property
    def explanation(self) -> Explanation:
        """What it is, which engine bounds it, and why not another way."""
        ticks = self.chosen.estimate.ticks
        lines = [
            f"{'given' if self.is_given else 'chosen'}: {self.chosen.way}",
            f"expected: {self.chosen.estimate.cycles} cycles, bound by {ticks.bound}: {ticks}",
        ]
        content: dict[str, Any] = {
            "chosen": self.chosen.to_dict(),
            "given": self.is_given,
            "next": None,
            "ranked": [mapping.to_dict() for mapping in self.ranked],
        }
        if self.other is None:
            lines.append("next: there is no other way")
        else:
            why = self.other.estimate.ticks.beyond(ticks)
            other = f"{self.other.way}: {self.other.estimate.cycles} cycles"
            lines.append(
                f"instead of: {other}" if self.is_given else f"next: {other}, {self._more}: {why}"
            )
            content["next"] = {**self.other.to_dict(), "why": why}
        return Explanation(str(self), tuple(lines), content)


def choose(geometry: Geometry, followers: Followers, chip: Cluster, means: Means = ALL) -> Choice:
    """The mapping that the layer is given, else the one with the least cycles by the model, of
    those that the means allow.

    Raises InputError where no tile fits the memories, the machine does not multiply such elements,
    or what is given cannot be.
    """
    layer = geometry.layer
    source = layer.type(layer.head.operands[0]).element
    if not chip.matrix.supports(source.name, source.name):
        message = (
            f"{layer.title}: the matrix unit multiplies {', '.join(chip.matrix.pairs())}, "
            f"not {source} by {source}"
        )
        hint = "quantize the network, or take a machine whose matrix unit has them"
        raise input_error(message, layer.location, hint=hint)
    model = CostModel(geometry, followers, chip, means.buffers)
    serve = means.serve and can_serve(chip)
    best = _best_of_each_way(geometry, model, chip, serve)
    if not best:
        message = f"{layer.title}: no tile of it fits the memories"
        hint = f"of {chip.usable('nram')} bytes of NRAM and {chip.usable('wram')} of WRAM"
        raise input_error(message, layer.location, hint=hint)
    ranked = sorted(best.values(), key=lambda mapping: mapping.estimate.cycles)
    given = means.given_of(layer)
    if given is None:
        return Choice(tuple(ranked))
    assert means.given is not None
    try:
        wanted = _as_given(geometry, model, chip, given, serve)
    except _Impossible as reason:
        raise means.given.refusal(layer, *reason.args) from None
    others = (mapping for mapping in ranked if mapping.way != wanted.way)
    return Choice((wanted, *others), is_given=True)


class _Impossible(Exception):
    """What is given cannot be: why, and a hint."""


def _as_given(
    geometry: Geometry, model: CostModel, chip: Cluster, given: GivenMapping, serve: bool
) -> Mapping:
    served: Served = given.served or ""
    way = given.stays, served
    if way not in WAYS or (served and not serve):
        ways = [(a, b) for a, b in WAYS if serve or not b]
        known = "; ".join(f"{a} stay{'s' * (a == 'nothing')}, {b or 'nothing'} served"
                          for a, b in ways)  # fmt: skip
        raise _Impossible(f"{given.stays} cannot stay with {served or 'nothing'} served", known)
    tile = next((tile for tile in geometry.candidates(chip) if _is_of(given.tile, tile)), None)
    if tile is None:
        raise _Impossible(
            f"there are no tiles of {given.tile}", _known_tiles(geometry, chip, given)
        )
    counts = geometry.counts(tile)
    facts = model.of(tile, counts, inf)
    if facts is None or not model.fits(facts, given.stays, served):
        raise _Impossible(f"tiles of {given.tile} do not fit the memories", "take smaller ones")
    split, units = given.split.qtg, chip.clusters if served else chip.core_count
    if prod(split) > units or any(a > b for a, b in zip(split, counts, strict=True)):
        hint = f"there are {' × '.join(map(str, counts))} tiles of problems, rows and columns"
        whose = "clusters" if served else "cores"
        raise _Impossible(f"{units} {whose} cannot share them {' × '.join(map(str, split))}", hint)
    estimate = model.estimate(facts, given.stays, served, counts, split)
    return Mapping(tile, given.stays, served, split, estimate)


def _is_of(given: GivenTile, tile: Tile) -> bool:
    mine = given.rows, given.columns, given.parts, given.problems, given.packed
    return mine == (tile.rows, tile.columns, tile.parts, tile.problems, tile.is_packed)


def _known_tiles(geometry: Geometry, chip: Cluster, given: GivenMapping) -> str:
    """Some that there are, of the same columns and parts if possible."""
    tiles = geometry.candidates(chip)
    alike = [t for t in tiles if (t.columns, t.parts) == (given.tile.columns, given.tile.parts)]
    if not alike:
        sizes = sorted({(tile.columns, tile.parts) for tile in tiles})
        each = [f"{columns} in {parts} parts" if parts > 1 else f"{columns}"
                for columns, parts in sizes]  # fmt: skip
        return f"columns that there are: {_some(each)}"
    rows = dict.fromkeys(" × ".join(map(str, tile.rows)) for tile in alike)
    return f"rows that there are of so many columns: {_some([*rows])}"


def _some(texts: Sequence[str]) -> str:
    return ", ".join([*texts[:SHOWN], *(["…"] if len(texts) > SHOWN else [])])


def _best_of_each_way(
    geometry: Geometry, model: CostModel, chip: Cluster, serve: bool
) -> dict[tuple[Stays, Served], Mapping]:
    best: dict[tuple[Stays, Served], Mapping] = {}
    ways = [(stays, served) for stays, served in WAYS if serve or not served]
    least_of_all = inf
    for tile in geometry.candidates(chip):
        counts = geometry.counts(tile)
        facts = model.of(tile, counts, WORTHWHILE * least_of_all)
        if facts is None:
            continue
        for stays, served in ways:
            if not model.fits(facts, stays, served):
                continue
            known = best.get((stays, served))
            limit = min(known.estimate.cycles if known else inf, WORTHWHILE * least_of_all)
            for split in splits_of(chip.clusters if served else chip.core_count, counts):
                if model.least(facts, served, counts, split) >= limit:
                    continue
                estimate = model.estimate(facts, stays, served, counts, split)
                if estimate.cycles < limit:
                    limit = estimate.cycles
                    best[stays, served] = Mapping(tile, stays, served, split, estimate)
            least_of_all = min(least_of_all, limit)
    return best


def can_serve(chip: Cluster) -> bool:
    """Whether MEM cores can hand what they load to the cores of their clusters."""
    return (
        chip.mem_core is not None
        and chip.mem_core.scalar_unit
        and chip.bus is not None
        and "broadcast" in chip.bus.modes
        and chip.cores > 1
    )


def splits_of(units: int, counts: tuple[int, int, int]) -> tuple[tuple[int, int, int], ...]:
    """Ways to share the digits; a digit has no more parts than it has tiles."""
    q, t, g = (min(count, units) for count in counts)
    return _splits(units, q, t, g)


@cache
def _splits(units: int, most_q: int, most_t: int, most_g: int) -> tuple[tuple[int, int, int], ...]:
    found: list[tuple[int, int, int]] = []
    for q in range(1, most_q + 1):
        for t in range(1, min(units // q, most_t) + 1):
            split = (q, t, min(units // (q * t), most_g))
            if not any(all(a >= b for a, b in zip(one, split, strict=True)) for one in found):
                found.append(split)
    most = max(prod(one) for one in found)
    return tuple(one for one in found if 2 * prod(one) > most)
