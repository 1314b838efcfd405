"""The links of a chip, and over which of them a copy goes.

dram ─ (banks) ─ controllers ─ (cap of the cluster) ─ port of the cluster ─ [bus] ─ DMA ─ nram, …
sram ─ port of the SRAM ─ DMA ─ nram, wram
sram ─ port of the SRAM ─ bus ─ all nram
host ─ link, each direction by itself ─ controllers ─ dram
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from simpy import Environment

from machines.kinds.cluster.fields import Cluster
from machines.kinds.cluster.queues import DMAS
from sim.cores.cluster.races.bytes_touched import Bytes
from sim.cores.cluster.scratchpads import CoreNumber
from sim.cores.cluster.transfers.banks import Bank, Visits, Way
from sim.cores.cluster.transfers.dram import Demands
from sim.cores.cluster.transfers.sharing import Link, Network
from sim.cores.rest import Plain


class Links:
    """All of a chip."""

    def __init__(self, environment: Environment, chip: Cluster):
        self.chip = chip
        widths = [Fraction(dma.width) for name in set(DMAS.values())
                  if (dma := getattr(chip, name)) is not None]  # fmt: skip
        cap = chip.cluster_bytes_per_cycle
        widths += [chip.controller_bytes_per_cycle, *([cap] if cap is not None else [])]
        to_host = chip.bytes_per_cycle(chip.host.link_bandwidth)
        self.network = Network(environment, [*widths, to_host], chip.arbitration)
        clusters = range(chip.clusters)
        link = self.network.link
        self.controllers = [
            link(f"controller {k}", chip.controller_bytes_per_cycle)
            for k in range(chip.dram.controllers)
        ]
        self.banks: dict[tuple[int, int], Bank] = {}
        self.demands = Demands(chip.dram)
        banks = chip.dram.banks
        times = (banks.read, banks.write) if banks is not None else (0, 0)
        self._opening = tuple(chip.cycles(time) for time in times)  # a row, to read or write it
        self.caps = [link(f"DRAM of cluster {c}", cap) for c in clusters] if cap else None
        self.ports = [link(f"port of cluster {c}", Fraction(chip.noc.width)) for c in clusters]
        if chip.sram is not None:
            width = Fraction(chip.sram.width)
            self.srams = [link(f"SRAM of cluster {c}", width) for c in clusters]
        if chip.bus is not None:
            width = Fraction(chip.bus.width)
            self.buses = [link(f"bus of cluster {c}", width) for c in clusters]
        self.from_host, self.to_host = link("host to chip", to_host), link("chip to host", to_host)
        self.dmas: dict[tuple[str, CoreNumber, int], Link] = {}

    def sorts(self) -> dict[str, list[Link]]:
        """The links that there are from the beginning on, by what they are."""
        found = {"dram": self.controllers, "caps": self.caps or [], "ports": self.ports}
        found |= {name: getattr(self, name) for name in ("srams", "buses") if hasattr(self, name)}
        return {**found, "host": [self.from_host, self.to_host]}

    def _fixed(self) -> list[Link]:
        """The same in one list."""
        return [link for links in self.sorts().values() for link in links]

    def at_rest(self) -> Plain:
        """What links have carried; of banks also what is open there."""
        return {
            "carried": [link.carried for link in self._fixed()],
            "dmas": [[*key, link.carried] for key, link in self.dmas.items()],
            "banks": [
                [*key, bank.link.carried, bank.row, bank.opened] for key, bank in self.banks.items()
            ],
        }

    def restore(self, state: Plain) -> None:
        for link, carried in zip(self._fixed(), state["carried"], strict=True):
            link.carried = carried
        for name, (cluster, core), channel, carried in state["dmas"]:
            self.dma(name, (cluster, core), channel).carried = carried
        for controller, number, carried, row, opened in state["banks"]:
            bank = self._bank(controller, number)
            bank.link.carried, bank.row, bank.opened = carried, row, opened

    def dma(self, name: str, core: CoreNumber, channel: int) -> Link:
        """What a channel of a DMA itself moves a cycle."""
        key = name, core, channel
        if key not in self.dmas:
            width = Fraction(getattr(self.chip, name).width)
            self.dmas[key] = self.network.link(f"{name} {core} {channel}", width)
        return self.dmas[key]

    def way(
        self,
        name: str,
        touched: Sequence[Bytes],
        core: CoreNumber,
        channel: int,
        target: int | None,
    ) -> Way:
        """Of a copy that a DMA of a core does; `target` is another cluster that it writes to."""
        cluster, size = core[0], touched[0].size
        visits: Visits = ()
        if name == "bus":
            found = {self.buses[cluster]: size}
        else:
            found = {self.dma(name, core, channel): size}
        if name == "iodma" and self.chip.iodma_over_bus and self.chip.bus is not None:
            found[self.buses[cluster]] = size
        for one in touched:
            if one.space == "dram":
                visits += self._dram(found, one, cluster)
            elif one.space == "sram":
                at = target if target is not None and one.stores else cluster
                found[self.srams[at]] = found.get(self.srams[at], 0) + size
        if target is not None:
            for port in {self.ports[cluster]: None, self.ports[target]: None}:
                found[port] = size
        links = tuple((link, carried) for link, carried in found.items() if carried)
        return Way(links, visits)

    def host_way(self, one: Bytes) -> Way:
        """Of a copy between the host and DRAM."""
        found = {self.from_host if one.stores else self.to_host: one.size}
        visits = self._controllers(found, one)
        return Way(tuple((link, carried) for link, carried in found.items() if carried), visits)

    def _dram(self, found: dict[Link, int], one: Bytes, cluster: int) -> Visits:
        """Add what a cluster has between its DMAs and DRAM; visits to banks."""
        for link in (self.ports[cluster], *([self.caps[cluster]] if self.caps else [])):
            found[link] = found.get(link, 0) + one.size
        return self._controllers(found, one)

    def _controllers(self, found: dict[Link, int], one: Bytes) -> Visits:
        """Add what controllers have to carry; visits to their banks."""
        rewrites = one.stores and self.chip.dram.partial_write == "read_modify_write"
        wanted = self.demands.of(one, rewrites)
        for link, size in zip(self.controllers, wanted.moved, strict=True):
            found[link] = found.get(link, 0) + size
        opening, banks = self._opening[one.stores], self.banks
        return tuple(
            [
                (banks.get(at) or self._new_bank(*at), visit, opening)
                for at, visit in wanted.banks.items()
            ]
        )

    def _bank(self, controller: int, number: int) -> Bank:
        return self.banks.get((controller, number)) or self._new_bank(controller, number)

    def _new_bank(self, controller: int, number: int) -> Bank:
        rate = self.chip.controller_bytes_per_cycle
        name = f"bank {number} of controller {controller}"
        link = self.network.link(name, Fraction(rate.numerator))
        stays_open = self.chip.dram.banks.page == "open"
        found = Bank(link, rate.denominator, rate.numerator, stays_open)
        self.banks[controller, number] = found
        return found
