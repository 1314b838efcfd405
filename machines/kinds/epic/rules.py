"""The rules across fields of an EPIC machine.

A rule is a function of the description that yields what is wrong as (path of keys, message, hint).
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Iterator

from machines.description.schema import Problem
from machines.diagnostics import nearest
from machines.instructions import operations
from machines.instructions.ia64_control import FIRST_ROTATING_PREDICATE
from machines.instructions.ia64_operands import CONSTANT_REGISTERS, REGISTER_COUNTS
from machines.kinds.epic.fields import Cache, Dispersal, Epic, RegisterFile, load_classes
from machines.kinds.epic.program import BUNDLE_BYTES
from machines.kinds.epic.stalls import CAUSES, EVENTS
from machines.operations.row import Operand, Operation, RegisterKind

MOST_LINES = 1 << 24
"""Of all caches; the host keeps half a hundred bytes of each."""
RENAMING = "cfm"
"""The resource that says how registers are renamed."""
KINDS = {"general": "gr", "floating": "fr", "predicate": "pr", "branch": "br"}
"""Register files: how the operation table calls their registers."""
TASKS = {
    "arguments": ("general", "floating"),
    "result": ("general", "floating"),
    "stack_pointer": ("general",),
    "rotating": ("general", "floating", "predicate"),
    "reserved": ("general", "floating", "predicate"),
}
"""What registers are named for, and the files that have such registers."""
SLOTS_OF_KIND = {"A": "MI", "LX": "L"}
"""Slot kinds of templates that take a row's slot kind, where the two differ."""
_SLOT = re.compile(r"([MIFL])(\d+)\.([012])")


def rows_exist(machine: Epic) -> Iterator[Problem]:
    """The machine executes a family of the operation table whose rows stand in slots."""
    if machine.instructions not in _families():
        message = f"no instructions for bundles are called '{machine.instructions}'"
        yield ("instructions",), message, nearest(machine.instructions, _families())


def templates_are_encodable(machine: Epic) -> Iterator[Problem]:
    """Codes differ, and a long slot is followed by its other half."""
    owners: dict[int, str] = {}
    for name, template in machine.templates.items():
        path = ("templates", name)
        if template.code in owners:
            other = owners[template.code]
            yield (*path, "code"), f"code {template.code:#x} is also that of '{other}'", None
        owners.setdefault(template.code, name)
        if "L" in template.slots and "LX" not in template.shape:
            yield (*path, "slots"), "an L slot is followed by an X slot", None


def shapes_exist(machine: Epic) -> Iterator[Problem]:
    """Dispersal rules speak of shapes that some template has."""
    shapes = {template.shape for template in machine.templates.values()}
    rules = machine.dispersal
    named = [(("branches_by_position",), rules.branches_by_position)]
    named += [(("ends_group_after",), rules.ends_group_after)]
    named += [(("ends_group_after_branch",), rules.ends_group_after_branch)]
    named += [(("begins_group_after",), tuple(rules.begins_group_after))]
    named += [(("begins_group_after", s), f) for s, f in rules.begins_group_after.items()]
    for path, mentioned in named:
        for shape in mentioned:
            if shape not in shapes:
                message = f"no template has the slots '{shape}'"
                yield ("dispersal", *path), message, nearest(shape, shapes)


def ports_exist(machine: Epic) -> Iterator[Problem]:
    """Dispersal rules speak of declared ports."""
    for path, port in _ports_mentioned(machine.dispersal):
        if port not in machine.ports:
            message = f"there is no port '{port}'"
            yield ("dispersal", *path), message, nearest(port, machine.ports)


def fixed_slots_exist(machine: Epic) -> Iterator[Problem]:
    """Fixed ports and ports by bundle speak of ordered slots of the window."""
    rules = machine.dispersal
    for slot in rules.fixed_ports:
        found = _SLOT.fullmatch(slot)
        if not found or int(found[2]) >= rules.bundles_per_cycle:
            message = f"'{slot}' is no slot of the window"
            yield ("dispersal", "fixed_ports", slot), message, "write it like I1.2"
        elif found[1] not in rules.ordered_slots:
            message = f"{found[1]} slots are not in ordered_slots"
            yield ("dispersal", "fixed_ports", slot), message, None
    for kind in sorted(set(rules.by_bundle) - set(rules.ordered_slots)):
        yield ("dispersal", "by_bundle"), f"{kind} slots are not in ordered_slots", None


def slots_have_ports(machine: Epic) -> Iterator[Problem]:
    """Every slot kind of the templates is matched or ordered (B and X follow their own rules)."""
    rules = machine.dispersal
    both = set(rules.matched_slots) & set(rules.ordered_slots)
    for kind in sorted(both):
        yield ("dispersal", "ordered_slots", kind), f"{kind} slots are also in matched_slots", None
    used = {kind for template in machine.templates.values() for kind in template.slots}
    for kind in sorted(used - {"B", "X"} - set(rules.matched_slots) - set(rules.ordered_slots)):
        yield ("dispersal",), f"{kind} slots have no ports", "name them in ordered_slots"
    if len(rules.branch_ports) != 3:
        yield ("dispersal", "branch_ports"), "there must be a port for each of slots 0, 1, 2", None
    if rules.spill_classes and rules.spill_to not in rules.matched_slots:
        yield ("dispersal", "spill_to"), "spilled syllables go to a kind of matched_slots", None
    for kind, ports in rules.ordered_slots.items():
        if kind in rules.by_bundle and len(ports) < rules.bundles_per_cycle:
            message = f"{kind} slots need a port for each bundle of the window"
            hint = "add ports, as machines/epic3.yaml does"
            yield ("dispersal", "ordered_slots", kind), message, hint


def classes_exist(machine: Epic) -> Iterator[Problem]:
    """Ports and rules speak of classes that some row has."""
    rows = _rows(machine)
    if not rows:
        return
    known = {row.scheduling_class for row in rows}
    rules = machine.dispersal
    named = [(("ports", name, "accepts"), port.accepts) for name, port in machine.ports.items()]
    for field in ("harmless", "spill_classes", "ends_group_after_class"):
        named.append((("dispersal", field), getattr(rules, field)))
    for name, others in rules.exclusive_classes.items():
        named.append((("dispersal", "exclusive_classes", name), (name, *others)))
    for path, mentioned in named:
        for name in mentioned:
            if name not in known:
                yield path, f"no instruction has the class '{name}'", nearest(name, known)


def every_row_has_a_port(machine: Epic) -> Iterator[Problem]:
    """In each slot kind an instruction may stand in, some port accepts its class."""
    missing = set()
    for row in _rows(machine):
        for kind in SLOTS_OF_KIND.get(row.slot_kind, row.slot_kind):
            accepted = {c for p in _ports_of(machine, kind) for c in machine.ports[p].accepts}
            if row.scheduling_class not in accepted:
                missing.add((row.scheduling_class, kind))
    for name, kind in sorted(missing):
        yield ("ports",), f"no port accepts '{name}' from {kind} slots", None


def every_port_takes_nops(machine: Epic) -> Iterator[Problem]:
    """Whatever fits one cycle still fits when an operation of it becomes a nop: what packs bundles
    and bounds schedules counts on it."""
    for row in (row for row in _rows(machine) if "nop" in row.flags):
        name, (kind, *_) = row.scheduling_class, row.slot_kind
        for port in dict.fromkeys(_ports_of(machine, kind)):
            if name not in machine.ports[port].accepts:
                message = f"port '{port}' does not accept '{name}', and {kind} slots lead to it"
                yield ("ports", port, "accepts"), message, f"add {name}"


def every_result_has_a_latency(machine: Epic) -> Iterator[Problem]:
    """Whatever an instruction writes has a latency."""
    needed = {name for row in _rows(machine) for name in _produced(row)}
    for name in sorted(needed - set(machine.latencies)):
        yield ("latencies",), f"class '{name}' has no latency", None


def latencies_are_of_results(machine: Epic) -> Iterator[Problem]:
    """Latencies are of classes that write something, for uses in which that is read."""
    uses = _uses_of_results(machine.instructions) if _rows(machine) else {}
    for name, latency in machine.latencies.items() if uses else ():
        path = ("latencies", name)
        if name not in uses:
            yield path, f"no instruction writes what has the class '{name}'", nearest(name, uses)
            continue
        for key in ("bypasses", "extra"):
            for use in getattr(latency, key):
                if use not in uses[name]:
                    hint = f"uses in which it is read: {', '.join(sorted(uses[name])) or 'none'}"
                    yield (*path, key, use), f"no result of '{name}' is read so", hint


def caches_divide_evenly(machine: Epic) -> Iterator[Problem]:
    """size = ways · sets · line with sets, lines and banks powers of two."""
    for name, cache in _levels(machine):
        path = ("memory", name)
        if not _is_power_of_two(cache.line):
            yield (*path, "line"), "a line is a power of two", None
        elif cache.size % (cache.ways * cache.line) or not _is_power_of_two(cache.sets):
            sets = cache.size / (cache.ways * cache.line)
            message = f"{cache.ways} ways of {cache.line}-byte lines make {sets:g} sets"
            yield (*path, "size"), message, "the number of sets is a power of two"
    for name, cache in _levels(machine)[1:]:
        if cache.banks and not _is_power_of_two(cache.banks * cache.bank_bytes):
            path = ("memory", name, "banks")
            yield path, "banks and bank_bytes are powers of two", None


def caches_fit_the_host(machine: Epic) -> Iterator[Problem]:
    """The lines of all caches together are no more than the host can keep."""
    lines = {name: cache.sets * cache.ways for name, cache in _levels(machine)}
    if sum(lines.values()) > MOST_LINES:
        largest = max(lines, key=lines.get)
        message = f"the caches have {sum(lines.values())} lines together"
        yield ("memory", largest, "size"), message, f"at most {MOST_LINES}"


def caches_slow_down_outward(machine: Epic) -> Iterator[Problem]:
    """A farther data cache is not faster, nor has it shorter lines."""
    levels = _levels(machine)[1:]
    for (near, inner), (far, outer) in itertools.pairwise(levels):
        if outer.latency < inner.latency:
            yield ("memory", far, "latency"), f"{far} is faster than {near}", None
        if outer.line < inner.line:
            yield ("memory", far, "line"), f"lines of {far} are shorter than those of {near}", None
    last, cache = levels[-1]
    if machine.memory.main.latency_cycles < cache.latency:
        yield ("memory", "main", "latency_cycles"), f"main memory is faster than {last}", None


def caches_say_how_long_loads_take(machine: Epic) -> Iterator[Problem]:
    """A load class has the latency of a cache; every other class has one of its own."""
    if not any(cache.holds_fp for cache in machine.memory.data_caches):
        yield ("memory",), "no cache holds floating-point data", "set holds_fp: true"
    if not _rows(machine):
        return
    loads = load_classes(machine.instructions)
    for name, latency in machine.latencies.items():
        path = ("latencies", name)
        if name not in loads:
            if latency.result is None:
                yield path, f"'{name}' has no result", "write result: 1 cycle"
            if latency.extra:
                yield (*path, "extra"), f"'{name}' is no load class", "write bypasses"
            continue
        if latency.result is not None:
            hint = "set the latency of the cache, for example memory.l1d.latency"
            yield (*path, "result"), "the cache says how long a load takes", hint
        if latency.bypasses:
            hint = "write extra: cycles more than the cache's"
            yield (*path, "bypasses"), "the cache says how long a load takes", hint


def fetch_is_whole_bundles(machine: Epic) -> Iterator[Problem]:
    """Fetch brings whole bundles, from one line."""
    branches = machine.branches
    if branches.fetch_bytes % BUNDLE_BYTES or not _is_power_of_two(branches.fetch_bytes):
        message = f"fetch brings a power of two of {BUNDLE_BYTES}-byte bundles"
        yield ("branches", "fetch_bytes"), message, None
    elif branches.fetch_bytes > machine.memory.l1i.line:
        yield ("branches", "fetch_bytes"), "fetch brings at most a line of l1i", None


def registers_are_in_range(machine: Epic) -> Iterator[Problem]:
    """All four files are there, and what is said of registers names existing ones."""
    for name in KINDS:
        if name not in machine.registers:
            yield ("registers",), f"'{name}' is missing", None
    for name, file in machine.registers.items():
        path = ("registers", name)
        if file.count > REGISTER_COUNTS[KINDS[name]]:
            message = f"there are names for {REGISTER_COUNTS[KINDS[name]]} registers"
            yield (*path, "count"), message, "fewer can be had"
        for key, numbers in _named(file).items():
            if any(not 0 <= number < file.count for number in numbers):
                hint = f"registers.{name}.count says how many"
                yield (*path, key), f"there are registers 0 to {file.count - 1}", hint
            if len(set(numbers)) < len(numbers):
                yield (*path, key), "a register is named twice", None
        if file.rotating and file.rotating[0] > file.rotating[1]:
            yield (*path, "rotating"), "the first register comes first", None
        if name == "predicate" and file.rotating and file.rotating[0] < FIRST_ROTATING_PREDICATE:
            message = f"predicates rotate from p{FIRST_ROTATING_PREDICATE} on, or some of them"
            yield (*path, "rotating"), message, "mov pr.rot sets no others"


def registers_have_their_tasks(machine: Epic) -> Iterator[Problem]:
    """Only general and floating registers carry arguments, only general ones a stack pointer; what
    has a task is not for the allocator, and what is not for it has no other."""
    for name, file in machine.registers.items():
        path, named = ("registers", name), _named(file)
        for key, files in TASKS.items():
            if named.get(key) and name not in files:
                yield (*path, key), f"{name} registers do not do that", f"of: {', '.join(files)}"
        constant = CONSTANT_REGISTERS[KINDS[name]]
        for number in sorted({*constant, *named.get("stack_pointer", ())} - {*file.reserved}):
            yield (*path, "reserved"), f"register {number} is not for the allocator", "add it"
        for key in ("arguments", "result"):
            for number in sorted({*named.get(key, ())} & {*file.reserved}):
                yield (*path, key), f"register {number} is reserved", None


def causes_are_ordered(machine: Epic) -> Iterator[Problem]:
    """Every cause, those that latencies name too, is in the stall order, with an event that there
    is."""
    for cause in CAUSES:
        if cause.name not in machine.stall_order:
            message = f"stall cause '{cause.name}' is missing"
            yield ("stall_order",), message, "every cause has its rank"
    for cause, event in machine.stall_order.items():
        if event not in EVENTS:
            message = f"no counter is named '{event}'"
            yield ("stall_order", cause), message, nearest(event, EVENTS)


RULES = (
    rows_exist,
    templates_are_encodable,
    shapes_exist,
    ports_exist,
    fixed_slots_exist,
    slots_have_ports,
    classes_exist,
    every_row_has_a_port,
    every_port_takes_nops,
    every_result_has_a_latency,
    latencies_are_of_results,
    caches_divide_evenly,
    caches_fit_the_host,
    caches_slow_down_outward,
    caches_say_how_long_loads_take,
    fetch_is_whole_bundles,
    registers_are_in_range,
    registers_have_their_tasks,
    causes_are_ordered,
)


def _ports_mentioned(rules: Dispersal) -> Iterator[tuple[tuple[str, ...], str]]:
    for field in ("matched_slots", "ordered_slots"):
        for kind, ports in getattr(rules, field).items():
            yield from (((field, kind), port) for port in ports)
    yield from ((("fixed_ports", slot), port) for slot, port in rules.fixed_ports.items())
    yield from ((("branch_ports",), port) for port in rules.branch_ports)
    yield ("branch_port",), rules.branch_port


def _ports_of(machine: Epic, kind: str) -> Iterable[str]:
    rules = machine.dispersal
    ports = rules.matched_slots.get(kind) or rules.ordered_slots.get(kind) or ()
    named = (*rules.branch_ports, rules.branch_port) if kind == "B" else ports
    return [port for port in named if port in machine.ports]


def _families() -> list[str]:
    table = operations()
    return [
        name for name in table.families if all(row.slot_kind for row in table.family(name).values())
    ]


def _rows(machine: Epic) -> list[Operation]:
    if machine.instructions not in _families():
        return []
    return list(operations().family(machine.instructions).values())


def _named(file: RegisterFile) -> dict[str, tuple[int, ...]]:
    """The registers that each key of a file names."""
    single = {"result": file.result, "stack_pointer": file.stack_pointer}
    several = {"rotating": file.rotating, "arguments": file.arguments, "reserved": file.reserved}
    named = {key: (number,) for key, number in single.items() if number is not None}
    return named | {key: numbers for key, numbers in several.items() if numbers}


def _produced(row: Operation) -> set[str]:
    """Latency classes of what a row writes."""
    produced = {_class(operand, row) for operand in row.writes}
    return produced | ({row.scheduling_class} if row.implicit_writes else set())


@functools.cache
def _uses_of_results(instructions: str) -> dict[str, set[str]]:
    """Latency class -> the uses in which somebody may wait for what it writes: a register, or a
    resource without an operand.  Nobody waits for how registers are renamed: rows are read after
    that."""
    written: dict[str, set[str]] = {}
    read: dict[str, set[str]] = {}
    for row in operations().family(instructions).values():
        for operand in row.writes:
            written.setdefault(_class(operand, row), set()).add(operand.kind.name)
        for resource in set(row.implicit_writes) - {RENAMING}:
            written.setdefault(row.scheduling_class, set()).add(resource)
        for name, use in _reads(row):
            read.setdefault(name, set()).add(use)
    return {
        name: set().union(*(read.get(resource, ()) for resource in resources))
        for name, resources in written.items()
    }


def _class(operand: Operand, row: Operation) -> str:
    """The latency class of what an operand of a row writes."""
    return operand.produces or row.scheduling_class


def _reads(row: Operation) -> Iterator[tuple[str, str]]:
    """(file or resource, use) of what a row reads, its guard too."""
    yield "pr", "branch" if row.control else "predicate"
    yield from ((o.kind.name, o.use) for o in row.reads if isinstance(o.kind, RegisterKind))
    yield from ((name, row.implicit_use(name)) for name in row.implicit_reads)


def _levels(machine: Epic) -> list[tuple[str, Cache]]:
    """The caches by name, that for instructions first."""
    caches = (machine.memory.l1i, *machine.memory.data_caches)
    return list(zip(("l1i", "l1d", "l2", "l3"), caches, strict=False))


def _is_power_of_two(number: int) -> bool:
    return number > 0 and number & (number - 1) == 0
