"""The interference graph of a function's registers, and colouring it."""

from __future__ import annotations

from compiler.ir.module import Function, Instruction
from compiler.targets.epic.flow import MachineLiveness, machine_liveness, machine_loops
from compiler.targets.epic.frame import outputs
from compiler.targets.epic.kernels import kept_still, rotating_registers
from compiler.targets.epic.pressure import allocatable
from compiler.targets.epic.registers import (
    CONSTANT,
    FILES,
    PREFIX,
    files_of,
    is_virtual,
    reads,
    writes,
)
from machines.kinds.epic.fields import Epic

LOOP_WEIGHT = 10
DEEPEST = 6


class Interference:
    """Who may not share a register with whom.

    names       every register, virtual or real, in order of appearance; numbers: its inverse
    files       the register file of each
    neighbours  for each number the bit set of numbers it interferes with (any file)
    weight      how often a register is read or written, by loop depth: what spilling it would cost
    copies      registers that a plain move joins, for each name in order of appearance
    outputs     how many of the last general registers calls need for arguments
    still       names that may have no rotating register; rotating: those there are, by file
    """

    def __init__(self, function: Function, description: Epic):
        live = machine_liveness(function)
        depth = machine_loops(function).depth
        self.numbers = dict(live.numbers)
        self.outputs = outputs(function)
        self.files: dict[str, str] = {}
        for _, instruction in function.instructions():
            self.files.update(files_of(instruction))
            clobbered = instruction.attributes.get("clobbers", ())
            self.files.update((name, FILES[name[0]]) for name in clobbered)
        for name in self.files:
            self.numbers.setdefault(name, len(self.numbers))
        self.names = list(self.numbers)
        self.neighbours = [0] * len(self.names)
        self.weight = [0.0] * len(self.names)
        self.copies: dict[str, list[str]] = {}
        self.still = kept_still(function, description)
        self.rotating = {f: rotating_registers(function, description, f) for f in PREFIX}
        for name, block in function.blocks.items():
            weight = float(LOOP_WEIGHT ** min(depth.get(name, 0), DEEPEST))
            self._scan(block.instructions, live, live.at_end[name], weight)
        for number, mask in enumerate(list(self.neighbours)):
            while mask:
                lowest = mask & -mask
                self.neighbours[lowest.bit_length() - 1] |= 1 << number
                mask ^= lowest

    def _scan(
        self, code: list[Instruction], liveness: MachineLiveness, live: int, weight: float
    ) -> None:
        for instruction in reversed(code):
            source = move_source(instruction)
            written = [self.numbers[name] for name, _ in writes(instruction)]
            for number in written:
                others = live
                for other in written:
                    others |= 1 << other
                if source is not None and instruction.guard is None:
                    others &= ~(1 << self.numbers[source])
                self.neighbours[number] |= others & ~(1 << number)
                self.weight[number] += weight
            if source is not None:
                result = instruction.results[0]
                self.copies.setdefault(result, []).append(source)
                self.copies.setdefault(source, []).append(result)
            for name, _ in reads(instruction):
                self.weight[self.numbers[name]] += weight
            live = liveness.before(live, instruction)


def move_source(instruction: Instruction) -> str | None:
    """The register that a plain move copies, None for anything else."""
    name, operands = instruction.operation.name, instruction.operands
    if name == "adds" and operands[0] == 0:
        source = operands[1]
    elif name == "fmerge.s" and operands[0] == operands[1]:
        source = operands[0]
    else:
        return None
    return None if source in CONSTANT else str(source)


def colour(
    graph: Interference, description: Epic, unspillable: frozenset[str] | set[str]
) -> tuple[dict[str, str], list[str]]:
    """Registers for the virtual ones, and those that found none (in no particular file).

    `unspillable` ones are coloured first; if one of them still finds no register, a spillable
    neighbour is named in its place.
    """
    palettes = _palettes(graph, description)
    members = dict.fromkeys(PREFIX, 0)
    for name, file in graph.files.items():
        members[file] |= 1 << graph.numbers[name]
    virtual = [name for name in graph.names if is_virtual(name) and name in graph.files]
    order = _elimination_order(graph, virtual, members, palettes, unspillable)

    colours: dict[str, str] = {}
    uncoloured: list[str] = []
    turn = dict.fromkeys(PREFIX, 0)
    for name in order:
        file = graph.files[name]
        taken = _taken(graph, name, members[file], colours)
        palette = palettes[file, name in graph.still]
        chosen = _preferred(graph, name, palette, taken, colours)
        if chosen is None:
            for step in range(len(palette)):
                register = palette[(turn[file] + step) % len(palette)]
                if register not in taken:
                    chosen, turn[file] = register, turn[file] + step + 1
                    break
        if chosen is not None:
            colours[name] = chosen
        elif name not in unspillable:
            uncoloured.append(name)
        elif set(palette) <= _taken(graph, name, members[file], {}):
            uncoloured.append(name)  # calls leave it none, whoever gives way
        else:
            uncoloured.append(_victim(graph, name, members[file], unspillable, uncoloured))
    return colours, list(dict.fromkeys(uncoloured))


def _palettes(graph: Interference, description: Epic) -> dict[tuple[str, bool], list[str]]:
    """(file, whether without those that rotate) -> the registers to give out."""
    found = {}
    for file, prefix in PREFIX.items():
        numbers = allocatable(description, file)
        if file == "general":
            numbers = numbers[: len(numbers) - graph.outputs]
        found[file, False] = [f"{prefix}{n}" for n in numbers]
        found[file, True] = [f"{prefix}{n}" for n in numbers if n not in graph.rotating[file]]
    return found


def _elimination_order(graph, virtual, members, palettes, unspillable) -> list[str]:
    """The order in which to give out registers: the hard ones first.

    Taken off the graph last is coloured first; a register with fewer neighbours than its file has
    registers can always wait.  If there is none, the cheapest to spill for its degree is taken off.
    """
    present = 0
    for name in virtual:
        present |= 1 << graph.numbers[name]
    real = 0
    for name in graph.names:
        if not is_virtual(name):
            real |= 1 << graph.numbers[name]
    degree = {
        name: (
            graph.neighbours[graph.numbers[name]] & members[graph.files[name]] & (present | real)
        ).bit_count()
        for name in virtual
    }
    limit = {name: len(palettes[graph.files[name], name in graph.still]) for name in virtual}
    remaining = dict.fromkeys(virtual)
    easy = [name for name in virtual if degree[name] < limit[name]]
    queued = set(easy)
    taken_off: list[str] = []
    while remaining:
        if easy:
            name = easy.pop()
        else:
            name = min(
                remaining,
                key=lambda n: (
                    n in unspillable,
                    graph.weight[graph.numbers[n]] / max(1, degree[n]),
                ),
            )
            queued.add(name)
        if name not in remaining:
            continue
        del remaining[name]
        taken_off.append(name)
        present &= ~(1 << graph.numbers[name])
        mask = graph.neighbours[graph.numbers[name]] & members[graph.files[name]] & present
        while mask:
            lowest = mask & -mask
            mask ^= lowest
            other = graph.names[lowest.bit_length() - 1]
            degree[other] -= 1
            if degree[other] < limit[other] and other not in queued:
                queued.add(other)
                easy.append(other)
    return taken_off[::-1]


def _taken(graph: Interference, name: str, members: int, colours: dict[str, str]) -> set[str]:
    """Registers that neighbours have."""
    mask = graph.neighbours[graph.numbers[name]] & members
    found = set()
    while mask:
        lowest = mask & -mask
        mask ^= lowest
        other = graph.names[lowest.bit_length() - 1]
        found.add(colours.get(other, other))
    return found


def _preferred(graph, name, palette, taken, colours) -> str | None:
    """A free register that a copy from or to `name` has."""
    for other in graph.copies.get(name, ()):
        register = colours.get(other, other)
        if register in palette and register not in taken:
            return register
    return None


def _victim(graph, name, members, unspillable, chosen) -> str:
    """The cheapest spillable neighbour of a register that must have one; else itself."""
    mask = graph.neighbours[graph.numbers[name]] & members
    candidates = [
        other
        for number, other in enumerate(graph.names)
        if mask >> number & 1
        and is_virtual(other)
        and other not in unspillable
        and other not in chosen
    ]
    return min(candidates, key=lambda n: graph.weight[graph.numbers[n]], default=name)
