"""Other values for a figure, as they are written: what a person might try first."""

from __future__ import annotations

import typing
from collections.abc import Iterator

from machines.description.load import Machine, model_of
from machines.description.shown_fields import ShownField
from machines.kinds import kind_named
from tests.machines.model_fields import ANY, Leaf, leaves

EMPTY = {
    "exclusive_classes": ("{alu: [compare]}", "{integer_load: [alu, integer_load]}"),
    "fixed_ports": ("{I1.2: I1}", "{I0.1: I1}"),
    "begins_group_after": ("{MII: [MII, MMI]}",),
    "matched_slots": ("{M: [M0, M1]}",),
}
"""Values of mappings that say nothing at first."""

MISSING = {
    "dram.banks": "{count: 2, row: 512 B, page: closed, read: 10 ns, write: 20 ns}",
    "mem_core": "{scalar_unit: true}",
    "sram": "{size: 1 KiB, reserved: 0 B, alignment: 64 B, width: 64 B, "
    "staging: {piece: 64 B, pieces: 1}}",
    "gdma": "{width: 64 B, setup: 1 cycle, outstanding: 1, segment: 1 cycle}",
    "cdma": "{width: 64 B, setup: 1 cycle, outstanding: 1, segment: 1 cycle, channels: 1}",
    "bus": "{width: 64 B, setup: 1 cycle, modes: [unicast]}",
}
"""What a chip without rows of DRAM, or without a MEM core, does not have."""


def leaf_of(machine: Machine, field: ShownField) -> Leaf:
    """The declared field of a path; of a list or mapping as a whole, that of what is in it."""
    path = field.keys
    known = list(leaves(model_of(kind_named(machine.kind))))
    for deeper in range(3):
        for leaf in known:
            shown = leaf.path[: len(path)]
            is_deeper = len(leaf.path) == len(path) + deeper
            if is_deeper and all(a in (b, ANY) for a, b in zip(shown, path, strict=True)):
                return leaf
    raise AssertionError(field.path)


TOGETHER = {
    ("simt", f"memory.{a}.{what}"): f"memory.{b}.{what}"
    for a, b in (("l1", "l2"), ("l2", "l1"))
    for what in ("line", "sector")
}
"""By kind: figures that a rule keeps equal."""

AS_A_WHOLE = {
    ("cluster", "matrix.unit", "systolic"): "matrix=!replace {unit: systolic, rows: 4, columns: 4, "
    "dataflow: os, folds: apart, issue: 1 cycle, depth: 5 cycles}",
    ("cluster", "matrix.unit", "inner_product"): "matrix=!replace {unit: inner_product, lanes: 4, "
    "reduction: 8 B, rates: {f32: {f32: 1}}, issue: 1 cycle, depth: 5 cycles}",
}
"""By kind, figure and value: what says which other figures there are is changed with them."""


def written(kind: str, keys: tuple[str, ...], value: str) -> list[str]:
    """A change as `--set` takes it, with what has to change with it; the last key may have a dot
    in it."""
    path = ".".join(keys)
    if (kind, path, value) in AS_A_WHOLE:
        return [AS_A_WHOLE[kind, path, value]]
    if "." in keys[-1]:
        return [f"{'.'.join(keys[:-1])}={{{keys[-1]}: {value}}}"]
    return [f"{one}={value}" for one in (path, TOGETHER.get((kind, path))) if one]


def values(machine: Machine, field: ShownField) -> list[str]:
    """Other values of a figure, legal or not, the most telling first."""
    found = [v for v in _values(machine, field, leaf_of(machine, field)) if v is not None]
    return list(dict.fromkeys(found))


def _values(machine: Machine, field: ShownField, leaf: Leaf) -> Iterator[str]:
    value = field.value
    last = field.keys[-1]
    if isinstance(value, bool):
        yield str(not value).lower()
    elif value is None and field.path in MISSING:
        yield MISSING[field.path]
    elif value == {}:
        yield from EMPTY.get(last, ())
        keys = machine.description.pipes if last == "extra" and machine.kind == "simt" else _USES
        yield from (f"{{{key}: 9 cycles}}" for key in keys if last not in EMPTY)
    elif isinstance(value, tuple) or len(leaf.path) > len(field.keys):
        yield from _other_lists(value or (), leaf)
    elif typing.get_origin(leaf.type) is typing.Literal:
        yield from (str(v) for v in (*typing.get_args(leaf.type), "another") if v != value)
    elif leaf.is_number:
        yield from (_written(v, leaf) for v in _other_numbers(value, leaf))
    else:
        yield from (v for v in _names(machine) if v != value)


_USES = ("integer", "address", "multimedia", "fp", "getf", "branch", "predicate", "application")


def _other_numbers(value: float | None, leaf: Leaf) -> Iterator[float]:
    own = value or 0
    half = own // 2 if leaf.type is int else own / 2
    for other in (leaf.least, 1, own * 2, half, own + 1, own - 1, own * 4, own * 16, own + 37, 20,
                  leaf.most):  # fmt: skip
        if other != value and leaf.least <= other <= leaf.most:
            yield other


def _other_lists(value: tuple, leaf: Leaf) -> Iterator[str]:
    texts = [_written(v, leaf) if leaf.is_number else str(v) for v in value]
    others = [texts[:k] + texts[k + 1 :] for k in range(len(texts))]
    others += [texts[::-1], [texts[0]] * len(texts)] if texts else []
    if typing.get_origin(leaf.type) is typing.Literal:
        others += [[*texts[:k], other, *texts[k + 1 :]]
                   for k in range(len(texts)) for other in typing.get_args(leaf.type)]  # fmt: skip
    if leaf.is_number:
        others += [[*texts, _written(more, leaf)] for more in (1, 2, 20, 31)]
        others += [[_written(1, leaf), _written(2, leaf)]]
        others += [[*texts[:k], _written(value[k] + 8, leaf), *texts[k + 1 :]]
                   for k in range(len(texts))]  # fmt: skip
    yield from (f"[{', '.join(other)}]" for other in others if other != texts)


def _written(value: float, leaf: Leaf) -> str:
    if leaf.quantity is None:
        return str(value)
    return f"{value} {'B' if leaf.quantity.base == 'bytes' else leaf.quantity.base}"


def _names(machine: Machine) -> Iterator[str]:
    """What a name may be changed to: of ports, pipes, events, families of instructions."""
    described = machine.description
    if machine.kind == "epic":
        yield from described.ports
        yield from ("BE_RSE_BUBBLE.ALL", "BE_EXE_BUBBLE.PR", "FE_BUBBLE.BUBBLE")
    elif machine.kind == "simt":
        yield from described.pipes
    yield from ("ir", "another")
