"""How a row's meaning becomes a loop over lanes.

    add.s32  d, a, b      d1 = operand_address(operands, 1, words, own)
    d = a + b             d2 = operand_address(operands, 2, words, own)
                          fresh0 = fresh_lanes(0)
                          for lane in range(32):
                              a = read_s32(d1, lane)
                              b = read_s32(d2, lane)
                              d = a + b
                              write_b32(fresh0, lane, d)
                          merge_b32(operand_address(operands, 0, words, own), fresh0, mask)

All lanes are computed, which nothing can notice (a meaning has no side effect, and its vocabulary
accepts every number); those in the mask go into the register.  What is long, and what accesses
memory, is done for the lanes of the mask only.  A predicate is a number with a bit a lane.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from machines.operations.meaning import parsed
from machines.operations.row import Immediate, Lane, Operation, Symbol
from machines.vocabulary import special_functions
from sim.cores.simt import state as at
from sim.cores.simt.units.special_registers import SPECIAL
from sim.cores.written import NUMBER, indented

PARAMETERS = "case, operands, words, own, masks, own_masks, specials, mask, targets"
"""Arguments of a function of cases; all are int64.

operands  address of an instruction's operands: see `lane_words.operand_address`
words, masks, specials   addresses; own, own_masks: bytes from there to what is the warp's
mask      the lanes that take part
targets   of an atomic: the addresses that the lanes access, int64[width]
"""
READS = {
    "s16": "read_s16", "u16": "read_u16", "b16": "read_u16", "s32": "read_s32", "u32": "read_u32",
    "b32": "read_u32", "f32": "read_f32",
    "s64": "read_pair", "u64": "read_pair", "b64": "read_pair", "f64": "read_pair_f64",
    "s8": "read_s32", "u8": "read_u32",
}  # fmt: skip
LONG = (
    "divide", "remainder", "divide_unsigned", "remainder_unsigned", "find_set_bit",
    *(function.__name__ for function in special_functions.FUNCTIONS),
)  # fmt: skip
"""Functions that LLVM makes no vectors of, beside those whose names end so:"""
LONG_ENDING = "_toward"


def _read(kind: str, number: int, lane: str, width: int) -> str:
    """Text of what operand `number` holds in a lane."""
    wide = f", {width}" if kind.endswith("64") else ""
    return f"{READS[kind]}(d{number}, {lane}{wide})"


def _scalar(column: np.uint64, axis: int = 0) -> str:
    return f"read_b64(specials, {int(column) + axis})"


def _of_lane(axis: int, width: int) -> str:
    return f"read_b64(specials, {at.TID + axis * width} + lane)"


def implicit(width: int) -> dict[str, str]:
    """Text for what a row reads beside its operands."""
    texts = {
        "laneid": "lane", "activemask": "mask", "members": "members", "ballot": "ballot",
        "equal": "equal", "warpid": _scalar(SPECIAL.WARPID), "nwarpid": _scalar(SPECIAL.NWARPID),
        "smid": _scalar(SPECIAL.SMID), "nsmid": _scalar(SPECIAL.NSMID),
        "gridid": _scalar(SPECIAL.GRIDID),
        "clock64": _scalar(SPECIAL.NOW),
        "globaltimer": f"nanoseconds({_scalar(SPECIAL.NOW)}, {_scalar(SPECIAL.CLOCK_HERTZ)})",
        "dynamic_smem_size": _scalar(SPECIAL.DYNAMIC_SMEM),
        "total_smem_size": _scalar(SPECIAL.TOTAL_SMEM),
        "cluster_ctarank": _scalar(SPECIAL.CLUSTER_RANK),
        "cluster_nctarank": _scalar(SPECIAL.CLUSTER_RANKS),
        "is_explicit_cluster": _scalar(SPECIAL.IS_EXPLICIT),
    }  # fmt: skip
    for axis, letter in enumerate("xyz"):
        texts[f"tid_{letter}"] = _of_lane(axis, width)
        texts[f"ctaid_{letter}"] = _scalar(SPECIAL.CTAID, axis)
        texts[f"nctaid_{letter}"] = _scalar(SPECIAL.NCTAID, axis)
        texts[f"clusterid_{letter}"] = _scalar(SPECIAL.CLUSTERID, axis)
        texts[f"nclusterid_{letter}"] = _scalar(SPECIAL.NCLUSTERID, axis)
        texts[f"cluster_ctaid_{letter}"] = _scalar(SPECIAL.CLUSTER_CTAID, axis)
        texts[f"cluster_nctaid_{letter}"] = _scalar(SPECIAL.CLUSTER_NCTAID, axis)
        texts[f"ntid_{letter}"] = _scalar(SPECIAL.NTID, axis)
    return texts


def case_lines(row: Operation, width: int) -> list[str]:
    """The text that runs a row for a warp."""
    if row.combines and row.combines.how == "matrix":
        return _matrix(row, width)
    if row.access is not None:
        return _atomic(row, width)
    if row.combines and row.combines.how == "shuffle":
        return _shuffle(row, width)
    if row.combines and row.combines.how == "reduce":
        return _reduction(row, width)
    return _plain(row, width)


def _plain(row: Operation, width: int) -> list[str]:
    body = [
        *_members(row, width),
        *_loads(row, width),
        *_together(row, width),
        *_meaning(row, width),
        *_into_fresh(row),
    ]
    if _is_long(row):
        body = ["if (mask >> lane) & 1:", *indented(body)]
    return [
        *_addresses(row),
        *_rooms(row),
        f"for lane in range({width}):",
        *indented(body),
        *_merges(row, width),
    ]


def _shuffle(row: Operation, width: int) -> list[str]:
    """The result is the operand that lanes bring, of the lane that the meaning calls `source`."""
    number = row.position(row.combines.operand)
    kind, result = row.operands[number].kind, row.writes[0].name
    return [
        *_addresses(row),
        *_rooms(row),
        f"for lane in range({width}):",
        *indented(_members(row, width)),
        *indented(_loads(row, width)),
        *indented(_meaning(row, width)),
        f"    {result} = {_read(kind.type, number, 'lane', width)}",
        f"    if 0 <= source < {width} and (members >> source) & 1:",
        f"        {result} = {_read(kind.type, number, 'source', width)}",
        *indented(_into_fresh(row)),
        *_merges(row, width),
    ]


def _reduction(row: Operation, width: int) -> list[str]:
    """`gathered` goes through the members in order, from the first one's value on; lanes with the
    same members, which mostly follow each other, have the same."""
    number, result = row.position(row.combines.operand), row.writes[0].name
    kind = row.operands[number].kind.type
    wrapped = f"{'sign' if kind[0] == 's' else 'zero'}_extend(gathered, int64({kind[1:]}))"
    combined = _meaning(row, width, **{result: "gathered"})
    found = [
        "first = first_bit(members)",
        f"gathered = {_read(kind, number, 'first', width)}",
        f"for lane in range({width}):",
        "    if lane > first and (members >> lane) & 1:",
        *indented(indented([*_loads(row, width), *combined, f"gathered = {wrapped}"])),
    ]
    return [
        *_addresses(row),
        *_rooms(row),
        "known = 0",
        f"{result} = 0",
        f"for taker in range({width}):",
        f"    members = {_members_of('taker', width)}",
        "    if members != known and members != 0:",
        *indented(indented(found)),
        "        known = members",
        f"        {result} = gathered",
        "    lane = taker",
        *indented(_into_fresh(row)),
        *_merges(row, width),
    ]


def _matrix(row: Operation, width: int) -> list[str]:
    """The meaning is done once, of fragments on the stack: see `sim.cores.simt.tensor_cores`."""
    lines, results = [], []
    in_memory = {name for access in row.accesses for name in access.values}
    for fragment in row.combines.fragments:
        name, count = fragment.name, len(fragment.operands)
        is_made = name in row.made
        lines.append(f"{name} = fragment({count})")
        if in_memory.issuperset(fragment.operands):
            verb, into = ("store", results) if is_made else ("load", lines)
            into.append(f"{verb}_rows({name}, {count}, targets, {row.access.lanes}, {width})")
            continue
        first = row.position(fragment.operands[0])  # the others of the fragment follow it
        file = row.operands[first].kind.file
        register = f"operand_address(operands, {first} + k, words, own)"
        each = f"for k in range({count}):"
        if is_made:
            results += [each, f"    put_{file}({register}, {name}, k, mask, {width})"]
        else:
            lines += [each, f"    gather_{file}({name}, k, {register}, {width})"]
    lines += _of_the_warp(row)
    meaning = _meaning(row, width)
    if "wrong" in parsed(row.meaning).assigns:
        results[:0] = ["if wrong != 0:", "    return wrong"]
    return [*lines, *meaning, *results]


def _of_the_warp(row: Operation) -> Iterator[str]:
    """What a meaning of fragments reads beside them: numbers, and predicates of the first lane."""
    for operand in row.alone:
        number = row.position(operand.name)
        if isinstance(operand.kind, Immediate):
            yield f"{operand.name} = read_b64(operands, {2 * number})"
        else:
            bits = f"read_b64(operand_address(operands, {number}, masks, own_masks), 0)"
            yield f"{operand.name} = {bits} & 1"
    if "shared" in row.implicit_reads:
        yield "shared = words_at(read_b64(targets, 0))"
        yield "shared_size = read_b64(targets, 1)"
        yield "warp = read_b64(targets, 2)"


def _atomic(row: Operation, width: int) -> list[str]:
    """Lane by lane, in order: what one stores the next one loads."""
    stored = {2: "store_half", 4: "write_b32", 8: "write_b64"}[row.access.bytes]
    loaded = {2: "load_half", 4: "read_u32", 8: "read_b64"}[row.access.bytes]
    places = (row.access.address, row.access.offset)
    names = tuple(name for name in places if name not in parsed(row.meaning).names)
    body = [
        "target = read_b64(targets, lane)",
        f"loaded = {loaded}(target, 0)",
        *_loads(row, width, leave_out=names),
        *_meaning(row, width),
        f"{stored}(target, 0, stored)",
        *_into_fresh(row),
    ]
    return [
        *_addresses(row, leave_out=names),
        *_rooms(row),
        f"for lane in range({width}):",
        "    if (mask >> lane) & 1:",
        *indented(indented(body)),
        *_merges(row, width),
    ]


def _addresses(row: Operation, leave_out: tuple[str, ...] = ()) -> Iterator[str]:
    """Operands that are read, under names that carry their number."""
    for number, operand in enumerate(row.operands):
        if not operand.is_read or operand.name in leave_out:
            continue
        if isinstance(operand.kind, Immediate | Symbol):
            yield f"{operand.name} = read_b64(operands, {2 * number})"
        elif isinstance(operand.kind, Lane) and operand.kind.file == "pred":
            yield f"d{number} = read_b64(operand_address(operands, {number}, masks, own_masks), 0)"
        elif isinstance(operand.kind, Lane):
            yield f"d{number} = operand_address(operands, {number}, words, own)"


def _loads(row: Operation, width: int, leave_out: tuple[str, ...] = ()) -> list[str]:
    """A lane's values."""
    used = parsed(row.meaning).names
    lines = []
    for number, operand in enumerate(row.operands):
        if not operand.is_read or not isinstance(operand.kind, Lane) or operand.name in leave_out:
            continue
        if operand.name not in used:
            continue
        if operand.kind.file == "pred":
            lines.append(f"{operand.name} = (d{number} >> lane) & 1")
        else:
            lines.append(f"{operand.name} = {_read(operand.kind.type, number, 'lane', width)}")
    return lines


def _members_of(lane: str, width: int) -> str:
    return f"read_b64(specials, {at.TID + (at.OF_LANES - 1) * width} + {lane})"


def _members(row: Operation, width: int) -> Iterator[str]:
    """What the lanes are that a lane executes the row with, together."""
    if row.combines:
        yield f"members = {_members_of('lane', width)}"
    if row.combines and row.combines.how == "ballot":
        yield f"ballot = members & d{row.position(row.combines.operand)}"


def _together(row: Operation, width: int) -> Iterator[str]:
    if row.combines and row.combines.how == "match":
        number = row.position(row.combines.operand)
        wide = row.operands[number].kind.file == "b64"
        yield f"equal = equal_lanes_{'b64' if wide else 'b32'}(d{number}, lane, members, {width})"


def _rooms(row: Operation) -> Iterator[str]:
    """Where the results of all lanes are put together."""
    for number, operand in enumerate(row.writes):
        yield (
            f"fresh{number} = 0"
            if operand.kind.file == "pred"
            else (f"fresh{number} = fresh_lanes({number})")
        )


def _into_fresh(row: Operation) -> Iterator[str]:
    for number, operand in enumerate(row.writes):
        if operand.kind.file == "pred":
            yield f"fresh{number} |= int64({operand.name}) << lane"
            continue
        kind = operand.kind.type
        suffix = kind if kind in ("f32", "f64") else operand.kind.file
        yield f"write_{suffix}(fresh{number}, lane, {operand.name})"


def _merges(row: Operation, width: int) -> Iterator[str]:
    for number, operand in enumerate(row.writes):
        file = operand.kind.file
        column = row.operands.index(operand)
        base = "masks, own_masks" if file == "pred" else "words, own"
        register = f"operand_address(operands, {column}, {base})"
        yield f"merge_{file}({register}, fresh{number}, mask, {width})"


def _meaning(row: Operation, width: int, **targets: str) -> list[str]:
    """The meaning with texts in place of implicit operands and of what is assigned."""
    texts = implicit(width)
    read = {name.replace(".", "_") for name in row.implicit_reads} - {"gathered", "shared"}
    values = {name: texts[name] for name in read}
    return parsed(row.meaning).placed(values, targets, NUMBER).splitlines()


def _is_long(row: Operation) -> bool:
    called = parsed(row.meaning).calls
    return any(name in LONG or name.endswith(LONG_ENDING) for name in called)
