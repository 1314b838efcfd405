"""Which syllables of a window of bundles issue together: the dispersal rules of an EPIC machine.

Syllables are taken from left to right; each one names the ports it could use, and the group ends
where no assignment of ports to all of them exists, where a rule of the description splits, or at a
stop.  Nothing here knows a particular machine: every rule is a field of
`machines.kinds.epic.fields.Dispersal`.

    disperse(machine, window, start_slot)   one window, with the port of every syllable
    DispersalTable(program, machine)        every window of a program, as arrays for the core
    disperser(machine)                      the rules one by one, for who packs bundles
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import NamedTuple

from machines.diagnostics import InputError, Location, diagnostic
from machines.instructions import operations
from machines.kinds.epic.fields import Epic, Template
from machines.kinds.epic.program import CONTINUATION, OPERATION, BundleProgram
from machines.later import Later

np = Later("numpy")

STOP = "stop"
WINDOW = "window"
AFTER_TEMPLATE = "split:after template"
AFTER_BRANCH = "split:after branch"
BEFORE_TEMPLATE = "split:before template"
AFTER_CLASS = "split:after class"
EXCLUSIVE = "split:exclusive class"
NO_PORT = {kind: f"split:port {kind}" for kind in "MIFBL"}

ENDS = (
    STOP, WINDOW, AFTER_TEMPLATE, AFTER_BRANCH, BEFORE_TEMPLATE, AFTER_CLASS, EXCLUSIVE,
    *NO_PORT.values(),
)  # fmt: skip
"""Why a group ends; `DispersalTable.end` holds indices into it.

'stop': a stop is reached.  'window': all bundles that were there are out.  'split:after template',
'split:after branch', 'split:before template', 'split:after class', 'split:exclusive class': the
field of the description that splits.  'split:port K': the next syllable, in a K slot, finds no
port."""


class BundleView(NamedTuple):
    """What dispersal sees of a bundle: the template's name and the scheduling class of each slot
    (None for the second half of a long instruction)."""

    template: str
    classes: tuple[str | None, str | None, str | None]


class NeverIssues(InputError):
    """No port takes a syllable where it stands, even as the first of a group."""

    @classmethod
    def of(cls, view: BundleView, slot: int) -> NeverIssues:
        return cls(
            diagnostic(
                f"no port takes class '{view.classes[slot]}' from slot {slot} of an "
                f"{view.template} bundle, so it can never issue"
            )
        )

    def at(self, where: Location | None) -> NeverIssues:
        """The same, for who knows where in the source."""
        return NeverIssues(replace(finding, location=where) for finding in self.diagnostics)


class Dispersed(NamedTuple):
    """The syllables that issue in one cycle.

    count  slots issued, from the start slot on (a long instruction fills two)
    ports  the port of each of them (None for the second half of a long instruction)
    end    why the group ends there: one of `ENDS`
    """

    count: int
    ports: tuple[str | None, ...]
    end: str


class Group(NamedTuple):
    """The syllables taken so far.

    demands   for each syllable that needs a port: the ports it may use, as a bit mask
    fixed     ports taken by syllables that have no choice
    shape     slots of the last bundle
    classes   classes seen, of those that some rule excludes from a group
    """

    demands: tuple[int, ...] = ()
    fixed: int = 0
    shape: str = ""
    classes: frozenset[str] = frozenset()


class _Taken(NamedTuple):
    """What of one bundle joins a group: slots, the end if the group ends here, the group then."""

    count: int
    end: str | None
    group: Group


def disperse(machine: Epic, window: Sequence[BundleView], start_slot: int = 0) -> Dispersed:
    """Disperse a window whose first bundle begins at `start_slot` (0-2).

    The slots before it have issued in an earlier cycle and use no ports.  The window may hold
    fewer bundles than the machine could take.  Raises NeverIssues if nothing does.
    """
    return disperser(machine).disperse(tuple(window), start_slot)


class DispersalTable:
    """The dispersal of every window of a program.

    count  uint8[bundles, 3, bundles_per_cycle]: slots that issue from [bundle, start slot] when
           1, 2, … bundles are available from that bundle on
    end    uint8 of the same shape: why the group ends, an index into `ENDS`

    Raises NeverIssues if a syllable could not, were only its bundle there.
    """

    def __init__(self, program: BundleProgram, machine: Epic):
        rules = disperser(machine)
        views = bundle_views(program, machine)
        shape = (program.bundles, 3, machine.dispersal.bundles_per_cycle)
        count = np.zeros(shape, dtype=np.uint8)
        end = np.zeros(shape, dtype=np.uint8)
        codes = {name: code for code, name in enumerate(ENDS)}
        for bundle in range(program.bundles):
            for slot in range(3):
                for available, (slots, why) in enumerate(rules.grow(views, bundle, slot)):
                    count[bundle, slot, available] = slots
                    end[bundle, slot, available] = codes[why]
        self.count, self.end = count, end
        stuck = np.argwhere((count[:, :, 0] == 0) & _begins_syllable(program))
        if len(stuck):
            bundle, slot = (int(i) for i in stuck[0])
            where = program.locations[3 * bundle + slot] if program.locations else None
            raise NeverIssues.of(views[bundle], slot).at(where)


def bundle_views(program: BundleProgram, machine: Epic) -> list[BundleView]:
    """What dispersal sees of each bundle of a program."""
    rows = operations().family(machine.instructions)
    classes = [rows[name].scheduling_class for name in program.operations]
    names = {template.code: name for name, template in machine.templates.items()}
    syllables = program.code[:, OPERATION].reshape(-1, 3).tolist()
    return [
        BundleView(names[code], tuple(None if s == CONTINUATION else classes[s] for s in three))
        for code, three in zip(program.templates.tolist(), syllables, strict=True)
    ]


def _begins_syllable(program: BundleProgram) -> np.ndarray:
    """bool[bundles, 3]: False for the second half of a long instruction."""
    return program.code[:, OPERATION].reshape(-1, 3) != CONTINUATION


@lru_cache(maxsize=64)
def disperser(machine: Epic) -> Disperser:
    """The rules of a machine."""
    return Disperser(machine)


class Disperser:
    """The rules of one machine, with ports as bits, and what was decided before."""

    def __init__(self, machine: Epic):
        rules = machine.dispersal
        self.rules = rules
        self.templates: dict[str, Template] = machine.templates
        self.ports = tuple(machine.ports)
        self.bit = {port: 1 << index for index, port in enumerate(self.ports)}
        self.accepting = {
            name: self._mask(p for p in self.ports if name in machine.ports[p].accepts)
            for name in {c for port in machine.ports.values() for c in port.accepts}
        }
        self.matched = {kind: self._mask(ports) for kind, ports in rules.matched_slots.items()}
        self.watched = frozenset(rules.exclusive_classes) | {
            name for others in rules.exclusive_classes.values() for name in others
        }
        self.take_bundle = cache(self._take_bundle)

    def traits(self, name: str) -> tuple[int, bool, bool, bool]:
        """All that `join` and `end_after` ask of a scheduling class, but for what it excludes."""
        rules = self.rules
        return (
            self.accepting.get(name, 0),
            name in rules.harmless,
            name in rules.spill_classes,
            name in rules.ends_group_after_class,
        )

    def disperse(self, window: tuple[BundleView, ...], start_slot: int) -> Dispersed:
        group, count, end = Group(), 0, WINDOW
        for position, view in enumerate(window):
            taken = self.take_bundle(group, view, 0 if position else start_slot, position)
            count, group = count + taken.count, taken.group
            if taken.end:
                end = taken.end
                break
        if not count:
            raise NeverIssues.of(window[0], start_slot)
        assigned = iter(match(group.demands))
        views = [c for view in window for c in view.classes][start_slot : start_slot + count]
        ports = tuple(self.ports[next(assigned)] if name else None for name in views)
        return Dispersed(count, ports, end)

    def grow(
        self, views: list[BundleView], bundle: int, start_slot: int
    ) -> Iterator[tuple[int, str]]:
        """Slots and end for windows of 1, 2, … bundles that begin at one slot."""
        group, count, end = Group(), 0, WINDOW
        for position in range(self.rules.bundles_per_cycle):
            if end == WINDOW and bundle + position < len(views):
                start = 0 if position else start_slot
                taken = self.take_bundle(group, views[bundle + position], start, position)
                # Which syllable wants which ports no longer matters: sorted, fewer groups differ.
                group = taken.group._replace(demands=tuple(sorted(taken.group.demands)))
                count, end = count + taken.count, taken.end or WINDOW
            yield count, end

    def _take_bundle(self, group: Group, view: BundleView, start: int, position: int) -> _Taken:
        template = self.templates[view.template]
        shape = template.shape
        if self.splits_between(group.shape, shape):
            return _Taken(0, BEFORE_TEMPLATE, group)
        group = group._replace(shape=shape)
        for slot in range(start, 3):
            name = view.classes[slot]
            if name is not None:
                joined = self.join(group, template, slot, name, position)
                if isinstance(joined, str):
                    return _Taken(slot - start, joined, group)
                group = joined
            end = self.end_after(template, slot, name)
            if end:
                return _Taken(slot + 1 - start, end, group)
        return _Taken(3 - start, None, group)

    def splits_between(self, earlier: str, later: str) -> bool:
        """True if a bundle of one shape begins a group right after one of another."""
        return earlier in self.rules.begins_group_after.get(later, ())

    def join(
        self, group: Group, template: Template, slot: int, name: str, position: int
    ) -> Group | str:
        """The group with one more syllable, or the rule that keeps it out.

        `position` is the bundle's number in the window.
        """
        if name in self.watched and any(self.excludes(name, c) for c in group.classes):
            return EXCLUSIVE
        kind = template.slots[slot]
        accepting = self.accepting.get(name, 0)
        fixed = group.fixed
        if kind in self.matched:
            demand = self.matched[kind] & accepting
        else:
            port = self._port_in_order(template, slot, name, position, fixed)
            if port and not port & fixed:
                demand = port & accepting
                fixed |= demand
            elif self._may_spill(kind, name, fixed):
                demand = self.matched[self.rules.spill_to] & accepting
            else:
                demand = 0
        demands = (*group.demands, demand)
        if not demand or match(demands) is None:
            return NO_PORT[kind]
        classes = group.classes | {name} if name in self.watched else group.classes
        return Group(demands, fixed, group.shape, classes)

    def _port_in_order(
        self, template: Template, slot: int, name: str, position: int, fixed: int
    ) -> int:
        """The one port (a bit) of a syllable whose slot kind keeps its order; 0 if none is left."""
        rules, kind = self.rules, template.slots[slot]
        if kind == "B":
            if template.shape in rules.branches_by_position:
                return self.bit[rules.branch_ports[slot]]
            if name not in rules.harmless:
                return self.bit[rules.branch_port]
            return self._first_free(rules.branch_ports, fixed)
        named = rules.fixed_ports.get(f"{kind}{position}.{slot}")
        if named:
            return self.bit[named]
        if kind in rules.by_bundle:
            return self.bit[rules.ordered_slots[kind][position]]
        return self._first_free(rules.ordered_slots[kind], fixed)

    def _first_free(self, ports: Sequence[str], fixed: int) -> int:
        return next((self.bit[port] for port in ports if not self.bit[port] & fixed), 0)

    def _may_spill(self, kind: str, name: str, fixed: int) -> bool:
        """True if a class may leave slots of this kind, and all their ports are taken."""
        ports = self.rules.ordered_slots.get(kind, ())
        return name in self.rules.spill_classes and not self._first_free(ports, fixed)

    def excludes(self, name: str, other: str) -> bool:
        """True if two classes may not be in one group."""
        exclusive = self.rules.exclusive_classes
        return other in exclusive.get(name, ()) or name in exclusive.get(other, ())

    def end_after(self, template: Template, slot: int, name: str | None) -> str | None:
        """The rule that ends the group right after a slot."""
        if slot in template.stops:
            return STOP
        if name in self.rules.ends_group_after_class:
            return AFTER_CLASS
        if slot < 2:
            return None
        if template.shape in self.rules.ends_group_after:
            return AFTER_TEMPLATE
        ends_after_branch = template.shape in self.rules.ends_group_after_branch
        return AFTER_BRANCH if ends_after_branch and name not in self.rules.harmless else None

    def _mask(self, ports: Iterator[str] | Sequence[str]) -> int:
        mask = 0
        for port in ports:
            mask |= self.bit[port]
        return mask


@lru_cache(maxsize=1 << 16)
def match(demands: tuple[int, ...]) -> tuple[int, ...] | None:
    """A port (its bit's index) for each demand, all different; None if there is no such matching.

    Augmenting paths: a syllable takes the lowest free port, or that of one which can move away.
    """
    owner: dict[int, int] = {}

    def assign(syllable: int, tried: set[int]) -> bool:
        usable = [port for port in _bits(demands[syllable]) if port not in tried]
        for port in usable:
            if port not in owner:
                owner[port] = syllable
                return True
        for port in usable:
            if port in tried:
                continue
            tried.add(port)
            if assign(owner[port], tried):
                owner[port] = syllable
                return True
        return False

    for syllable in range(len(demands)):
        if not assign(syllable, set()):
            return None
    port_of = {syllable: port for port, syllable in owner.items()}
    return tuple(port_of[syllable] for syllable in range(len(demands)))


def _bits(mask: int) -> Iterator[int]:
    index = 0
    while mask >> index:
        if mask >> index & 1:
            yield index
        index += 1
