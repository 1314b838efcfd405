"""Which instructions the issue ports of a machine can take in one cycle, by counting."""

from __future__ import annotations

from machines.kinds.epic.fields import Epic

SLOTS_PER_BUNDLE = 3


class PortCounter:
    """Answers whether instructions fit one cycle: a port for each, and slots for all.

    Templates and dispersal order are not considered; what they forbid becomes a split issue.
    """

    def __init__(self, description: Epic):
        self._ports = tuple(frozenset(port.accepts) for port in description.ports.values())
        self._slots = description.dispersal.bundles_per_cycle * SLOTS_PER_BUNDLE
        self._known: dict[tuple[str, ...], bool] = {}

    def fits(self, classes: list[str]) -> bool:
        """True if instructions of these scheduling classes fit one cycle.

        A long instruction takes two slots.
        """
        key = tuple(sorted(classes))
        if key not in self._known:
            slots = sum(2 if name in ("long_immediate", "nop_x") else 1 for name in key)
            self._known[key] = slots <= self._slots and self._match(key)
        return self._known[key]

    def _match(self, classes: tuple[str, ...]) -> bool:
        """Bipartite matching of instructions to ports by augmenting paths."""
        holder: dict[int, int] = {}

        def place(node: int, tried: set[int]) -> bool:
            for port, accepts in enumerate(self._ports):
                if classes[node] in accepts and port not in tried:
                    tried.add(port)
                    if port not in holder or place(holder[port], tried):
                        holder[port] = node
                        return True
            return False

        return all(place(node, set()) for node in range(len(classes)))
