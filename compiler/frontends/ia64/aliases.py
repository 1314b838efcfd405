"""Pseudo-operations: forms that assemble to another row, as GNU as defines them.

Every identity was checked by assembling both forms to the same bytes.  A field is named after its
kind: r…, f…, p…, b… are registers, everything else an immediate, `label` a label.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache

from compiler.frontends.ia64.syntax import (
    RANGE,
    CodeFromGlobalPointer,
    Mismatch,
    Pattern,
    Unread,
    pattern,
    split_mnemonic,
)
from machines.instructions import operations
from machines.instructions.ia64_operands import (
    BR,
    FR,
    GLOBAL_POINTER_VALUE,
    GR,
    PR,
    FromGlobalPointer,
)
from machines.kinds.epic.program import BUNDLE_BYTES, CODE_BASE
from machines.operations.row import Immediate, Label, Operand
from machines.vocabulary.numbers import sign_extend

Maker = str | int | Callable[[Mapping[str, int]], int]
"""An operand of the row: a field's name, a fixed value, or a function of the fields' values."""

_FIELD = re.compile(r"\{(\w+)\}")
_FILES = {"r": GR, "f": FR, "p": PR, "b": BR}
STATUS = (".s0", ".s1")
PRECISION = ("", ".s", ".d")
F0, F1 = 0, 1

OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
MIRRORED = {"eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}


def _left_over(values: Mapping[str, int]) -> int:
    return 64 - values["count"]


def _code_address(field: str, start: int = 0) -> Callable[[Mapping[str, int]], int]:
    """The address of a field's bundle, from `start` on."""
    return lambda values: CODE_BASE + BUNDLE_BYTES * values[field] - start


def _predicate_mask(values: Mapping[str, int]) -> int:
    """All forms of a mask that name the same predicates: -1, 0x1fffe, -2."""
    mask = values["mask"]
    if not -(1 << 16) <= mask < 1 << 17:
        raise Mismatch(f"{mask} has more than 17 bits, of which the last is p16 to p63", RANGE)
    return sign_extend(mask & ~1, 17)


def _rotating_mask(values: Mapping[str, int]) -> int:
    """A mask whose last bit stands for all predicates from p43 on."""
    mask = values["high"]
    return sign_extend(mask, 44) if 1 << 43 <= mask < 1 << 44 else mask


def _moves_and_shifts():
    yield "add {r1} = {imm}, {r3}", "adds", ("r1", "imm", "r3")
    yield "add {r1} = {imm}, {r3}", "addl", ("r1", "imm", "r3")
    yield "add {r1} = {symbol}, {r3}", "addl.gprel", ("r1", "symbol", "r3")
    yield "ld8.mov {r1} = [{r3}], {name}", "ld8", ("r1", "r3")
    yield "mov {r1} = {r3}", "adds", ("r1", 0, "r3")
    yield "mov {r1} = {imm}", "addl", ("r1", "imm", 0)
    yield "shl {r1} = {r2}, {count}", "dep.z", ("r1", "r2", "count", _left_over)
    yield "shr {r1} = {r3}, {count}", "extr", ("r1", "r3", "count", _left_over)
    yield "shr.u {r1} = {r3}, {count}", "extr.u", ("r1", "r3", "count", _left_over)
    yield "movl {r1} = {label}", "movl", ("r1", _code_address("label"))
    yield "movl {r1} = {code}", "movl", ("r1", _code_address("code", GLOBAL_POINTER_VALUE))
    yield "mov pr = {r2}, {mask}", "mov.to_pr", ("r2", _predicate_mask)
    yield "mov pr = {r2}", "mov.to_pr", ("r2", -2)
    yield "mov pr.rot = {high}", "mov.to_pr_rot", (_rotating_mask,)
    yield "mov {b1} = {r2}, {label}", "mov.to_branch", ("b1", "r2")
    yield "mov.sptk {b1} = {r2}, {label}", "mov.to_branch", ("b1", "r2")
    for unit, registers in (("i", ("ar.lc", "ar.ec", "ar.pfs")), ("m", ("ar.ccv", "ar.fpsr"))):
        for register in registers:
            yield f"mov.{unit} {{r1}} = {register}", f"mov.from_{register}", ("r1",)
            yield f"mov.{unit} {register} = {{r2}}", f"mov.to_{register}", ("r2",)
            if register != "ar.fpsr":
                yield f"mov.{unit} {register} = {{imm}}", f"mov.to_{register}.imm", ("imm",)
    yield "alloc {r1} = {a}, {l}, {o}, {t}", "alloc", ("r1", "a", "l", "o", "t")


def _floating():
    for precision in PRECISION:
        for status in STATUS:
            end = precision + status
            yield f"fadd{end} {{f1}} = {{f3}}, {{f2}}", f"fma{end}", ("f1", "f3", F1, "f2")
            yield f"fsub{end} {{f1}} = {{f3}}, {{f2}}", f"fms{end}", ("f1", "f3", F1, "f2")
            product, negated = f"fmpy{end}", f"fnmpy{end}"  # a sum with f0 is no sum
            yield f"fma{end} {{f1}} = {{f3}}, {{f4}}, f0", product, ("f1", "f3", "f4")
            yield f"fnma{end} {{f1}} = {{f3}}, {{f4}}, f0", negated, ("f1", "f3", "f4")
            yield f"fadd{end} {{f1}} = {{f3}}, f0", product, ("f1", "f3", F1)
            yield f"fnorm{end} {{f1}} = {{f3}}", product, ("f1", "f3", F1)
            yield f"fcvt.xuf{end} {{f1}} = {{f3}}", product, ("f1", "f3", F1)
    yield "mov {f1} = {f3}", "fmerge.s", ("f1", "f3", "f3")
    yield "fabs {f1} = {f3}", "fmerge.s", ("f1", F0, "f3")
    yield "fneg {f1} = {f3}", "fmerge.ns", ("f1", "f3", "f3")
    yield "fnegabs {f1} = {f3}", "fmerge.ns", ("f1", F0, "f3")
    yield "xma.lu {f1} = {f3}, {f4}, {f2}", "xma.l", ("f1", "f3", "f4", "f2")
    for part, row in (("l", "l"), ("lu", "l"), ("h", "h"), ("hu", "hu")):
        yield f"xmpy.{part} {{f1}} = {{f3}}, {{f4}}", f"xma.{row}", ("f1", "f3", "f4", F0)


RELATIONS = (
    # relation, row; registers: operands swapped, predicates swapped;
    # immediates: less one, predicates swapped (imm > r is not imm <= r, which is imm - 1 < r)
    ("ne", "eq", (False, True), (False, True)),
    ("gt", "lt", (True, False), (True, True)),
    ("ge", "lt", (False, True), (False, True)),
    ("le", "lt", (True, True), (True, False)),
    ("gtu", "ltu", (True, False), (True, True)),
    ("geu", "ltu", (False, True), (False, True)),
    ("leu", "ltu", (True, True), (True, False)),
)


def _less_one(values: Mapping[str, int]) -> int:
    return values["imm"] - 1


def _less_one_unsigned(values: Mapping[str, int]) -> int:
    if values["imm"] == 0:
        raise Mismatch("0 has nothing below it: compare with 1 by ltu or geu instead", RANGE)
    return values["imm"] - 1


def _targets(swapped: bool) -> tuple[str, str]:
    return ("p2", "p1") if swapped else ("p1", "p2")


def _normal_compares(name: str):
    """The relations that eq, lt and ltu stand for, plain and .unc."""
    for kind in ("", ".unc"):
        for relation, row, registers, immediates in RELATIONS:
            left = f"{name}.{relation}{kind} {{p1}}, {{p2}} ="
            sources = ("r3", "r2") if registers[0] else ("r2", "r3")
            yield (
                f"{left} {{r2}}, {{r3}}",
                f"{name}.{row}{kind}",
                (*_targets(registers[1]), *sources),
            )
            less_one = _less_one_unsigned if row == "ltu" else _less_one
            yield (
                f"{left} {{imm}}, {{r3}}",
                f"{name}.{row}{kind}.imm",
                (*_targets(immediates[1]), less_one if immediates[0] else "imm", "r3"),
            )


def _parallel_compares(name: str):
    """The complements .andcm, .orcm and .and.orcm, and zero on the right."""
    shapes = [
        *((relation, ".imm", "{imm}, {r3}", ("imm", "r3")) for relation in ("eq", "ne")),
        *((relation, "", "{r2}, {r3}", ("r2", "r3")) for relation in ("eq", "ne")),
        *((r, ".zero", "r0, {r3}", ("r3",)) for r in ("gt", "ge", "lt", "le")),
    ]
    shapes += [(r, ".zero", "{r3}, r0", ("r3",)) for r in ("gt", "ge", "lt", "le")]
    for relation, shape, text, sources in shapes:
        is_mirrored = text.endswith("r0")
        held = MIRRORED[relation] if is_mirrored else relation
        kinds = [
            (".andcm", f"{OPPOSITE[held]}.and", ("p1", "p2")),
            (".orcm", f"{OPPOSITE[held]}.or", ("p1", "p2")),
            (".and.orcm", f"{OPPOSITE[held]}.or.andcm", ("p2", "p1")),
        ]
        if is_mirrored:
            kinds += [(k, f"{held}{k}", ("p1", "p2")) for k in (".and", ".or", ".or.andcm")]
        for kind, row, targets in kinds:
            yield (
                f"{name}.{relation}{kind} {{p1}}, {{p2}} = {text}",
                f"{name}.{row}{shape}",
                (*targets, *sources),
            )


def _tests_and_floating_compares():
    for bit, opposite in (("z", "nz"), ("nz", "z")):
        for kind, row in ((".andcm", "and"), (".orcm", "or"), (".and.orcm", "or.andcm")):
            yield (
                f"tbit.{bit}{kind} {{p1}}, {{p2}} = {{r3}}, {{position}}",
                f"tbit.{opposite}.{row}",
                ("p2", "p1", "r3", "position"),
            )
    for kind in ("", ".unc"):
        yield (
            f"tbit.nz{kind} {{p1}}, {{p2}} = {{r3}}, {{position}}",
            f"tbit.z{kind}",
            ("p2", "p1", "r3", "position"),
        )
        yield (
            f"fclass.nm{kind} {{p1}}, {{p2}} = {{f2}}, {{mask}}",
            f"fclass.m{kind}",
            ("p2", "p1", "f2", "mask"),
        )
        for relation, row, swap_operands, swap_predicates in (
            ("gt", "lt", True, False),
            ("ge", "le", True, False),
            ("neq", "eq", False, True),
            ("nlt", "lt", False, True),
            ("nle", "le", False, True),
            ("ngt", "lt", True, True),
            ("nge", "le", True, True),
            ("ord", "unord", False, True),
        ):
            sources = ("f3", "f2") if swap_operands else ("f2", "f3")
            yield (
                f"fcmp.{relation}{kind} {{p1}}, {{p2}} = {{f2}}, {{f3}}",
                f"fcmp.{row}{kind}",
                (*_targets(swap_predicates), *sources),
            )


def _all():
    yield from _moves_and_shifts()
    yield from _floating()
    for name in ("cmp", "cmp4"):
        yield from _normal_compares(name)
        yield from _parallel_compares(name)
    yield from _tests_and_floating_compares()


@cache
def alias_patterns() -> dict[str, list[Pattern]]:
    """Patterns of the pseudo-operations by mnemonic."""
    found: dict[str, list[Pattern]] = {}
    for syntax, row, makers in _all():
        fields = {name: _field(name) for name in _FIELD.findall(syntax)}

        def values(given, makers=makers):
            return [_made(maker, given) for maker in makers]

        made = pattern(syntax, fields, operations()["ia64", row], values)
        found.setdefault(split_mnemonic(syntax)[0], []).append(made)
    return found


def _field(name: str) -> Operand:
    kinds = {
        "label": Label(),
        "code": CodeFromGlobalPointer(),
        "symbol": FromGlobalPointer(),
        "name": Unread(),
    }
    if name in kinds:
        return Operand(name, kinds[name])
    if name[0] in _FILES and name[1:].isdigit():
        return Operand(name, _FILES[name[0]])
    return Operand(name, Immediate(64))


def _made(maker: Maker, given: Mapping[str, int]) -> int:
    if isinstance(maker, str):
        return given[maker]
    return maker if isinstance(maker, int) else maker(given)
