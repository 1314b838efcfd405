"""Lines of assembly by the thousand: every row and pseudo-operation with operands at the edges of
their fields, and every mnemonic with hints in any order.  Some are instructions, some are not.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from compiler.frontends.ia64.aliases import alias_patterns
from compiler.frontends.ia64.syntax import Pattern, row_patterns, split_mnemonic
from machines.operations.row import Immediate, Operand, RegisterKind

LABEL = "here"
_REGISTERS = {
    "gr": ("r2", "r3", "r4", "r32", "r127", "r0", "r1", "f8", "p6", "b6", "5"),
    "fr": ("f2", "f127", "f9", "f0", "f1", "r8"),
    "pr": ("p6", "p63", "p15", "p0", "r6"),
    "br": ("b0", "b7", "r6"),
}
_WHETHER = ("few", "many", "clr", "sptk", "spnt", "dptk", "dpnt")
_PLACES = ("nt1", "nt2", "nta", "t1", "d1", "d3", "d7", "acq", "rel", "bias", "fill", "spill",
           "excl", "fault", "s0", "foo")  # fmt: skip
_FIELDS = ("s0", "s1", "s2", "s3", "s4", "s", "d", "unc", "trunc")
_SUFFIXED = (
    ("br", LABEL, (*_WHETHER, "cond")),
    *((f"br.{kind}", LABEL, _WHETHER) for kind in ("cond", "cloop", "ctop", "wexit")),
    ("br.ret", "b0", _WHETHER),
    ("br.call", f"b0 = {LABEL}", _WHETHER),
    ("br.call", "b0 = b6", _WHETHER),
    ("brp", f"{LABEL}, {LABEL}", ("sptk", "loop", "exit", "dptk", "imp", "many", "few", "dpnt")),
    ("mov", f"b6 = r3, {LABEL}", ("ret", "sptk", "dptk", "imp", "loop", "m", "i")),
    ("mov", "b6 = r3", ("ret", "sptk", "m", "i")),
    ("mov", "r3 = b6", ("ret", "sptk", "m", "i")),
    *(("mov", moved, ("m", "i", "f")) for moved in (
        "r8 = r9", "r8 = 5", "f8 = f9", "r8 = ip", "r8 = pr", "pr = r8, -2", "pr.rot = 0x10000",
        *(f"r8 = ar.{name}" for name in ("lc", "ec", "pfs", "ccv", "fpsr")),
        *(f"ar.{name} = {source}" for name in ("lc", "ec", "pfs", "ccv", "fpsr")
          for source in ("r8", "5")),
    )),
    *((f"ld{size}", "r8 = [r9]", _PLACES) for size in (1, 2, 4, 8)),
    *((f"st{size}", "[r9] = r8", _PLACES) for size in (1, 2, 4, 8)),
    *((f"ldf{form}", "f8 = [r9]", _PLACES) for form in ("s", "d", "e", "8", "")),
    *((f"ldfp{form}", "f8, f9 = [r9]", _PLACES) for form in ("s", "d", "8")),
    *((f"stf{form}", "[r9] = f8", _PLACES) for form in ("s", "d", "e", "8", "")),
    ("lfetch", "[r9]", _PLACES),
    ("xchg8", "r8 = [r9], r10", _PLACES),
    ("cmpxchg4", "r8 = [r9], r10, ar.ccv", _PLACES),
    ("fetchadd8", "r8 = [r9], 1", _PLACES),
    *((name, "f8 = f9, f10, f11", _FIELDS) for name in ("fma", "fms", "fnma")),
    *((name, "f8 = f9, f10", _FIELDS) for name in (
        "fadd", "fsub", "fmpy", "fmin", "famax", "fmerge", "fand")),
    *((name, "f8 = f9", _FIELDS) for name in (
        "fnorm", "fcvt.fx", "fcvt.fxu", "fcvt.xf", "fcvt.xuf", "fabs", "fneg")),
    *((f"fcmp.{name}", "p6, p7 = f8, f9", _FIELDS) for name in ("eq", "nlt", "unord")),
    ("fclass.m", "p6, p7 = f8, 9", _FIELDS), ("frcpa", "f8, p6 = f9, f10", _FIELDS),
    ("frsqrta", "f8, p6 = f9", _FIELDS), ("fsetc", "0x7f, 0x40", _FIELDS),
    *((f"cmp.{relation}", f"p6, p7 = {operands}",
       ("unc", "and", "or", "andcm", "orcm", "or.andcm", "and.orcm", "and.andcm"))
      for relation in ("eq", "ne", "lt", "le", "gt", "ge", "ltu", "leu", "gtu", "geu")
      for operands in ("r8, r9", "r8, r0", "r0, r8", "5, r8", "0, r8", "r8, 5")),
    *((f"tbit.{bit}", "p6, p7 = r8, 3",
       ("unc", "and", "or", "andcm", "orcm", "or.andcm", "and.orcm")) for bit in ("z", "nz")),
    ("nop", "0", ("m", "i", "f", "b", "x", "l")), ("break", "0", ("m", "i", "f", "b", "l")),
)  # fmt: skip


def _suffixed() -> Iterator[str]:
    for base, operands, suffixes in _SUFFIXED:
        for count in (0, 1, 2):
            for chosen in itertools.permutations(suffixes, count):
                yield ".".join((base, *chosen)) + f" {operands}"
    for chosen in itertools.permutations(_WHETHER, 3):
        yield f"br.{'.'.join(chosen)} {LABEL}"
        yield f"br.cond.{'.'.join(chosen)} {LABEL}"


def _values(operand: Operand, pattern: Pattern) -> tuple[str, ...]:
    """What to write for a field: what fits first, then what does not."""
    kind = operand.kind
    if isinstance(kind, RegisterKind):
        return _REGISTERS[kind.name]
    if not isinstance(kind, Immediate):
        return (LABEL,)
    row = next((one.kind for one in pattern.row.operands if one.name == operand.name), kind)
    edges = {row.lowest, row.highest, 0, 1, -1, row.lowest - 1, row.highest + 1,
             2 * row.highest + 1, 2 * row.highest + 2}  # fmt: skip
    return ("1", "8", *(str(edge) for edge in sorted(edges) if -(1 << 63) <= edge < 1 << 64))


def _edges(patterns: dict[str, list[Pattern]]) -> Iterator[str]:
    for pattern in itertools.chain.from_iterable(patterns.values()):
        if "@" in pattern.syntax or "{symbol}" in pattern.syntax or ".mov" in pattern.syntax:
            continue  # a linker's
        fields = [piece for piece in pattern.pieces if not isinstance(piece, str)]
        usual = {}
        for operand in fields:  # registers of one instruction differ
            choices = _values(operand, pattern)
            usual[operand.name] = choices[len(usual) % min(2, len(choices))]
        changes = [(operand.name, value) for operand in fields
                   for value in _values(operand, pattern)]  # fmt: skip
        for name, value in [("", ""), *changes]:
            yield pattern.syntax.format(**{**usual, name: value} if name else usual)


def all_lines() -> list[str]:
    """Every line once, in a fixed order."""
    found = (*_edges(row_patterns()), *_edges(alias_patterns()), *_suffixed())
    return list(dict.fromkeys(line for line in found if split_mnemonic(line)[0]))
