"""Instructions → bundles, as GNU as chooses templates, slots and nops.

    ld8 r14 = [r15] ;; add r8 = r9, r10 ;;     →     { .mmi  ld8 ;;  add  nop.i ;; }

Braces and templates hold as they are written.  Where they are left out, the template is the one
that takes most of the next three instructions, in their order, and leaves nops to M and I slots;
a stop inside makes it a template that has one there, or ends the bundle.  Source: what GNU as
2.40 does (gas/config/tc-ia64.c, `emit_one_bundle`), which the tests compare byte by byte.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from compiler.frontends.ia64.source import Align, Instruction, Item, Label, Space
from compiler.frontends.ia64.templates import ANY, SLOTS, Kind, best, shapes, takes, with_stops
from machines.diagnostics import Diagnostic, nearest
from machines.kinds.epic.fields import Epic, Template
from machines.kinds.epic.program import BUNDLE_BYTES

PADDING = "MMI"
"""Shape of the bundles of nops that fill up to an alignment."""


@dataclass
class Bundle:
    """A bundle: its template, and what stands in the slots; None is a nop.

    padding  it fills up to an alignment, `zeros`: its bits are zeros
    """

    template: Template
    slots: list[Instruction | None] = field(default_factory=lambda: [None] * SLOTS)
    padding: bool = False
    zeros: bool = False


@dataclass
class Bundled:
    """The bundles, the bundle of each label, and what does not fit."""

    bundles: list[Bundle] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    findings: list[Diagnostic] = field(default_factory=list)


@dataclass
class _Entry:
    """An instruction that waits for its bundle."""

    instruction: Instruction
    kind: Kind
    stop: bool
    labels: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)


def _mnemonic(entry: _Entry) -> str:
    words = entry.instruction.text.split()
    return next((word for word in words if not word.startswith("(")), words[0])


class _Bundler:
    """Takes the items of a source; `queue` holds instructions since the last flush."""

    def __init__(self, description: Epic):
        self.description = description
        self.made = Bundled()
        self.queue: list[_Entry] = []
        self.labels: list[str] = []
        self.tags: list[str] = []

    def find(self, message: str, instruction: Instruction, hint: str | None = None) -> None:
        location, line = instruction.location, instruction.written
        self.made.findings.append(Diagnostic(message, location, line, hint))

    def take(self, item: Item, kind_of: Callable[[Instruction], Kind]) -> None:
        if isinstance(item, Label):
            (self.tags if item.tag else self.labels).append(item.name)
        elif isinstance(item, Instruction):
            kind = kind_of(item)
            if kind.first and self.queue:
                self.queue[-1].stop = True
            stop = item.stop or kind.final
            self.queue.append(_Entry(item, kind, stop, self.labels, self.tags))
            self.labels, self.tags = [], []
        else:
            self.flush()
            if isinstance(item, Align):
                template = with_stops(self.description, tuple(PADDING), ())
                template = template or shapes(self.description)[0]
                while len(self.made.bundles) * BUNDLE_BYTES % item.bytes:
                    self.made.bundles.append(Bundle(template, padding=True))
            elif isinstance(item, Space):
                template = min(shapes(self.description), key=lambda t: t.code)
                self.made.bundles += [Bundle(template, zeros=True) for _ in range(item.bundles)]

    def flush(self) -> None:
        """Bundle what waits; labels with nothing after them name the next bundle."""
        if self.queue:
            self.queue[-1].stop = True
        while self.queue:
            count = self._bundle()
            del self.queue[:count]
        self._name(self.labels + self.tags)
        self.labels, self.tags = [], []

    def _name(self, labels: list[str]) -> None:
        for label in labels:
            self.made.labels[label] = len(self.made.bundles)

    def _bundle(self) -> int:
        """Make a bundle of the first entries of the queue; returns of how many."""
        first = self.queue[0].instruction
        template = self._written_template(first)
        self._name(self.queue[0].labels)
        filling = _Filling(self.description, template or self._chosen(), template is not None)
        for entry in self.queue:
            if not filling.take(entry):
                break
            self._name(entry.tags)
            if entry.instruction.closes:
                break
        count = filling.count
        self._append(filling.finished(), first)
        if count == 0:
            where = first.template or "a template of this machine"
            message = f"'{_mnemonic(self.queue[0])}' does not go into {where}"
            self.find(message, first, self._need(self.queue[0]))
            return 1
        if first.opens and not self.queue[count - 1].instruction.closes:
            return self._overfull(count, filling)
        return count

    def _append(self, made: Bundle | None, instruction: Instruction) -> None:
        if made is None:
            self.find("the machine has no template for it and the stop after it", instruction)
        else:
            self.made.bundles.append(made)

    def _overfull(self, count: int, filling: _Filling) -> int:
        """Say what does not go into a bundle in braces; returns how many entries these hold."""
        if count == len(self.queue):
            return count  # the braces are not closed, which the reader says
        entry, last = self.queue[count], self.queue[count - 1]
        shape = f".{filling.template.shape.lower()}"
        if last.kind.last_slot or last.kind.final:
            message = f"'{_mnemonic(last)}' goes into the last slot of a bundle only"
            self.find(message, last.instruction)
        elif filling.after_stop:
            message = f"there is no {shape} with a stop after slot {filling.slot - 1}"
            self.find(message, last.instruction, self._stops(filling.template))
        elif filling.slot == SLOTS:
            self.find(f"no slot is left for '{_mnemonic(entry)}'", entry.instruction)
        else:
            message = f"'{_mnemonic(entry)}' does not go into slot {filling.slot} of {shape}"
            self.find(message, entry.instruction, self._need(entry))
        ends = (n for n in range(count, len(self.queue)) if self.queue[n].instruction.closes)
        return next(ends, count) + 1

    def _need(self, entry: _Entry) -> str:
        slot = entry.kind.slot
        kind = {"A": "M or I", "LX": "L+X", ANY: "any kind"}.get(slot, slot)
        return f"it needs a slot of kind {kind}"

    def _stops(self, template: Template) -> str:
        found = {
            t.stops
            for t in self.description.templates.values()
            if t.shape == template.shape and t.stops
        }
        offered = (" and ".join(map(str, stops)) for stops in sorted(found))
        return f"it exists with stops after {', or '.join(offered)}"

    def _written_template(self, instruction: Instruction) -> Template | None:
        """The template without stops that a directive names before the instruction."""
        if instruction.template is None:
            return None
        shape = instruction.template[1:].upper().replace("MLI", "MLX")
        known = {t.shape: t for t in shapes(self.description)}
        if shape not in known:
            message = f"unknown template '{instruction.template}'"
            names = [f".{name.lower()}" for name in known]
            self.find(message, instruction, nearest(instruction.template, names))
        return known.get(shape)

    def _chosen(self) -> Template:
        """The best template for the next instructions, which end where a label stands."""
        kinds = [self.queue[0].kind.slot]
        for entry in self.queue[1:SLOTS]:
            if entry.labels:
                break
            kinds.append(entry.kind.slot)
        return best(self.description, tuple(kinds))


class _Filling:
    """A bundle that takes entries until one does not go into what is left of it.

    slot        the next slot
    after_stop  the last entry ends its group, and the template has no stop there
    """

    def __init__(self, description: Epic, template: Template, fixed: bool):
        self.description = description
        self.template = template
        self.fixed = fixed
        self.slots: list[Instruction | None] = [None] * SLOTS
        self.slot = self.count = 0
        self.after_stop = False

    def take(self, entry: _Entry) -> bool:
        """Whether the entry goes in; nops stay before it where it needs a later slot."""
        instruction, begins = entry.instruction, self.count == 0
        if not begins and (instruction.opens or instruction.template or entry.labels):
            return False
        if entry.kind.last_slot or entry.kind.final:
            self.slot = max(self.slot, SLOTS - 1)
        for slot in range(self.slot, SLOTS):
            if self.after_stop and not self._stop_before(slot, entry):
                if self._may_stop_later(slot, entry):
                    continue
                return False
            if takes(self.template.slots[slot], entry.kind.slot):
                self.slots[slot] = instruction
                self.slot = slot + (2 if entry.kind.slot == "LX" else 1)
                self.after_stop = entry.stop
                self.count += 1
                return True
        return False

    def _stop_before(self, slot: int, entry: _Entry) -> bool:
        """Change to a template with a stop before a slot, if there is one."""
        if entry.kind.first and slot > 1:
            return False  # such an instruction goes into a slot M, which that template lacks
        for template in self.description.templates.values():
            agrees = template.slots[:slot] == self.template.slots[:slot]
            if self.fixed:
                agrees = template.slots == self.template.slots
            if agrees and slot and tuple(template.stops) == (*self.template.stops, slot - 1):
                self.template, self.after_stop = template, False
                return True
        return False

    def _may_stop_later(self, slot: int, entry: _Entry) -> bool:
        """Whether a nop may follow, so that the stop comes after it."""
        later = range(slot, SLOTS - 1)
        return self.fixed and not entry.kind.first and any(
            with_stops(self.description, self.template.slots, (stop,)) for stop in later
        )  # fmt: skip

    def finished(self) -> Bundle | None:
        """The bundle, with a stop at its end if its last entry ends a group; None if the machine
        has no such template."""
        stops = tuple(self.template.stops)
        if self.after_stop:
            stops = (*stops, SLOTS - 1)
        template = with_stops(self.description, self.template.slots, stops)
        return Bundle(template, self.slots) if template else None


def bundle(
    items: Sequence[Item], kind_of: Callable[[Instruction], Kind], description: Epic
) -> Bundled:
    """The bundles of a source."""
    bundler = _Bundler(description)
    for item in items:
        bundler.take(item, kind_of)
    bundler.flush()
    return bundler.made
