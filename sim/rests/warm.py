"""States that runs of the same past share: one keeps it, the others go on from there.

    states = WarmStates(request, until=2, region=None, host=prepared.host)
    found = states.find()               # None: this run is the first; at rest behind step 2
    states.put(content)                 # it keeps what it is there

They lie sealed in the user's cache folder (`machines.cache.entries`), under what the run is before
it begins.  What the host does until then may depend on memory, and is compared when a state is
found; so a few pasts can lie beside each other.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from machines.cache.entries import Entries
from machines.diagnostics import InputError
from sim.cores import Request
from sim.rests.checkpoint import Found, Host, digest_of, origin_of, unpacked
from sim.workload.region import Region

MOST_PASTS = 16
"""That begin alike, and are kept."""
KIND = "warm"


@dataclass
class WarmStates:
    """Of runs of one beginning, at rest behind step `until`."""

    request: Request
    until: int
    region: Region | None
    host: Callable[[], Host]

    def __post_init__(self) -> None:
        region = self.region
        begins = region.after if region is not None and 0 < region.after < self.until else None
        self._key = f"{digest_of(origin_of(self.request))} {self.until} {begins}"
        self._free = 0

    def find(self) -> Found | None:
        """The state of a run with the same past, if one is kept."""
        with suppress(InputError):
            entries = Entries()
            for self._free in range(MOST_PASTS):
                content = entries.get(KIND, self._name())
                if content is None:
                    return None
                with suppress(InputError):  # another past, or a state of another form
                    name = "the state that was kept"
                    return unpacked(content, name, self.request, self.host())
        return None

    def put(self, content: bytes) -> None:
        """Keep the state of this run, for which none was found."""
        with suppress(InputError):
            Entries().put(KIND, self._name(), content)

    def _name(self) -> str:
        return f"{self._key} {self._free}"
