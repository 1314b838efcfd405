"""The assembly front end: what it reads, what it refuses and where it points."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.frontends.ia64 import PLUGIN
from compiler.frontends.ia64.aliases import alias_patterns
from compiler.frontends.ia64.expressions import ExpressionError, evaluate
from compiler.targets.epic.assembly import instruction_text
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.instructions import operations
from machines.kinds.epic.program import CODE_BASE, CONTINUATION, BundleProgram
from machines.operations.row import RegisterKind
from tests.compiler.gnu_as import code_bytes, needs_gnu_as

MACHINE = load_machine("itanium2")


def read(text: str) -> BundleProgram:
    return PLUGIN.read(text, "test.s", MACHINE)


def bundle(*instructions: str, template: str = "mii") -> str:
    return "{ ." + template + "\n" + "\n".join(instructions) + " ;;\n}\n"


def decoded(program: BundleProgram) -> list[tuple]:
    """(row name, predicate, operands…) of every syllable but continuations."""
    return [
        (program.operations[code[0]], *code[1:])
        for code in program.code.tolist()
        if code[0] != CONTINUATION
    ]


def one(text: str, template: str = "mii", slot: int = 0) -> tuple:
    """The row name, the predicate and the operands of one instruction."""
    nops = {"m": "nop.m 0", "i": "nop.i 0", "f": "nop.f 0", "b": "nop.b 0"}
    lines = [nops[letter] for letter in template]
    lines[slot] = text
    found = decoded(read("here:\n" + bundle(*lines, template=template)))[slot]
    row = operations()["ia64", found[0]]
    return found[: 2 + len(row.operands)]


def test_bundles_stand_as_written():
    program = read(
        """
        .text
        .global start
        { .mii
              nop.m 1
              nop.i 2 ;;
              nop.i 3
        }
        start:
        { .mlx
        (p6)  ld8 r14 = [r15], -8
              movl r16 = 0x123456789abcdef0 ;;
        }
        """
    )
    assert decoded(program) == [
        ("nop.m", 0, 1, 0, 0, 0, 0, 0),
        ("nop.i", 0, 2, 0, 0, 0, 0, 0),
        ("nop.i", 0, 3, 0, 0, 0, 0, 0),
        ("ld8.increment_immediate", 6, 14, 15, -8, 0, 0, 0),
        ("movl", 0, 16, 0x123456789ABCDEF0, 0, 0, 0, 0),
    ]
    assert program.templates.tolist() == [0x02, 0x05]
    assert program.code[5, 0] == CONTINUATION
    assert (program.name, program.entry, program.labels) == ("start", 1, {1: "start"})
    assert [place.line for place in program.locations] == [5, 6, 7, 11, 12, 12]


def test_comments_semicolons_and_names_on_one_line():
    program = read(
        "# a line comment\n"
        "SIZE = 1 << 4   // a constant\n"
        "{ .mii ; add r14 = SIZE + 1, r15 ; mov r16 = r17 /* inside */ ; nop.i 0 ;; }\n"
    )
    assert decoded(program)[0][:5] == ("adds", 0, 14, 17, 15)
    assert decoded(program)[1][:5] == ("adds", 0, 16, 0, 17)


def test_alignment_fills_with_nops():
    text = bundle("nop.m 0", "nop.i 0", "nop.i 0") + ".align 32\nlast:\n"
    program = read(text + bundle("nop.m 0", "nop.i 0", "nop.i 0"))
    assert program.labels == {2: "last"}
    assert program.templates.tolist() == [0x01, 0x08, 0x01]
    assert program.locations[3] is None


def test_buffers_and_symbols():
    program = read(
        bundle("nop.m 0", "movl r14 = table", template="mlx")
        + bundle("nop.m 0", "movl r15 = elsewhere", template="mlx")
        + ".data\n.align 8\ntable: data8 1, -1, 0x10\n"
        + 'text: stringz "a\\n"\n'
        + ".align 4\nmixed: data2 1\n .align 4\n data4 2\n"
        + ".bss\nspace: .skip 24\n"
        + ".rodata\nreals: real8 1.5, -2\n"
    )
    assert program.symbols == ["table", "elsewhere"]
    found = {b.name: (b.dtype.name, b.count, b.data) for b in program.buffers}
    assert found["table"] == ("i64", 3, np.array([1, -1, 16], "<i8").tobytes())
    assert found["text"] == ("i8", 3, b"a\n\0")
    assert found["mixed"] == ("i8", 8, bytes([1, 0, 0, 0, 2, 0, 0, 0]))
    assert found["space"] == ("i8", 24, None)
    assert found["reals"] == ("f64", 2, np.array([1.5, -2.0], "<f8").tobytes())


def test_data_is_aligned_unless_it_says_not():
    program = read("nop 0\n.data\nt: data1 1\n data4 2\n data1 3\n data2.ua 4\n .long 5\n"
                   " data1 6\n .single 2\n")  # fmt: skip
    expected = ["01000000", "02000000", "03", "0400", "00", "05000000", "06", "00000040"]
    assert program.buffers[0].data.hex() == "".join(expected)


def test_frame_names_follow_alloc():
    text = bundle("alloc r2 = ar.pfs, 2, 3, 1, 0", "nop.i 0", "nop.i 0")
    program = read(text + bundle("add r8 = in1, loc2", "mov out0 = sp", "mov ret1 = gp"))
    assert [row[2:5] for row in decoded(program)[3:]] == [(8, 33, 36), (37, 0, 12), (9, 0, 1)]


def test_a_code_address_in_a_general_register():
    assert one("mov r14 = ip", "mii", 1) == ("mov.from_ip", 0, 14)
    program = read("a:\n" + bundle("nop.m 0", "nop.i 0", "nop.i 0") + "b:\n"
                   + bundle("nop.m 0", "movl r14 = b", template="mlx"))  # fmt: skip
    assert decoded(program)[-1][:4] == ("movl", 0, 14, CODE_BASE + 16)


ALIASES = [
    # pseudo-operation, what it is, template, slot
    ("mov r14 = r15", ("adds", 0, 14, 0, 15), "mii", 0),
    ("mov r14 = -5", ("addl", 0, 14, -5, 0), "mii", 0),
    ("add r14 = 100, r15", ("adds", 0, 14, 100, 15), "mii", 0),
    ("add r14 = 10000, r2", ("addl", 0, 14, 10000, 2), "mii", 0),
    ("shl r14 = r15, 3", ("dep.z", 0, 14, 15, 3, 61), "mii", 1),
    ("shr r14 = r15, 3", ("extr", 0, 14, 15, 3, 61), "mii", 1),
    ("shr.u r14 = r15, 63", ("extr.u", 0, 14, 15, 63, 1), "mii", 1),
    ("shl r14 = r15, r16", ("shl", 0, 14, 15, 16), "mii", 1),
    ("cmp.gt p6, p7 = r14, r15", ("cmp.lt", 0, 6, 7, 15, 14), "mii", 0),
    ("cmp.le p6, p7 = r14, r15", ("cmp.lt", 0, 7, 6, 15, 14), "mii", 0),
    ("cmp.ge p6, p7 = r14, r15", ("cmp.lt", 0, 7, 6, 14, 15), "mii", 0),
    ("cmp.gt p6, p7 = 5, r14", ("cmp.lt.imm", 0, 7, 6, 4, 14), "mii", 0),
    ("cmp.le p6, p7 = 5, r14", ("cmp.lt.imm", 0, 6, 7, 4, 14), "mii", 0),
    ("cmp4.geu.unc p6, p7 = 5, r14", ("cmp4.ltu.unc.imm", 0, 7, 6, 5, 14), "mii", 0),
    ("cmp.ne.and p6, p7 = r14, r15", ("cmp.ne.and", 0, 6, 7, 14, 15), "mii", 0),
    ("cmp.gt.or p6, p7 = r14, r0", ("cmp.lt.or.zero", 0, 6, 7, 14), "mii", 0),
    ("cmp.eq.and.orcm p6, p7 = 0, r14", ("cmp.ne.or.andcm.imm", 0, 7, 6, 0, 14), "mii", 0),
    ("tbit.nz p6, p7 = r14, 3", ("tbit.z", 0, 7, 6, 14, 3), "mii", 1),
    ("fadd.d f6 = f7, f8", ("fma.d.s0", 0, 6, 7, 1, 8), "mfi", 1),
    ("fma.s.s1 f6 = f7, f8, f0", ("fmpy.s.s1", 0, 6, 7, 8), "mfi", 1),
    ("fnorm.d f6 = f7", ("fmpy.d.s0", 0, 6, 7, 1), "mfi", 1),
    ("fneg f6 = f7", ("fmerge.ns", 0, 6, 7, 7), "mfi", 1),
    ("mov f6 = f7", ("fmerge.s", 0, 6, 7, 7), "mfi", 1),
    ("xmpy.l f6 = f7, f8", ("xma.l", 0, 6, 7, 8, 0), "mfi", 1),
    ("fcmp.ge p6, p7 = f8, f9", ("fcmp.le", 0, 6, 7, 9, 8), "mfi", 1),
    ("fcmp.nlt.unc.s1 p6, p7 = f8, f9", ("fcmp.lt.unc", 0, 7, 6, 8, 9), "mfi", 1),
    ("fcvt.fx.trunc f6 = f7", ("fcvt.fx.trunc.s0", 0, 6, 7), "mfi", 1),
    ("fclass.nm p6, p7 = f8, @neg|@inf", ("fclass.m", 0, 7, 6, 8, 34), "mfi", 1),
    ("ld8.acq.nta r14 = [r15]", ("ld8", 0, 14, 15), "mii", 0),
    ("lfetch.excl.nt1 [r15], 64", ("lfetch.increment_immediate", 0, 15, 64), "mii", 0),
    ("mov pr = r14, -1", ("mov.to_pr", 0, 14, -2), "mii", 1),
    ("mov pr = r14, 0x10003", ("mov.to_pr", 0, 14, -65534), "mii", 1),
    ("mov pr.rot = 1 << 43", ("mov.to_pr_rot", 0, -(1 << 43)), "mii", 1),
    ("fadd.d f6 = f7, f0", ("fmpy.d.s0", 0, 6, 7, 1), "mfi", 1),
    ("fmin.s1 f6 = f7, f8", ("fmin.s0", 0, 6, 7, 8), "mfi", 1),
    ("tbit.z.and.orcm p6, p7 = r14, 5", ("tbit.nz.or.andcm", 0, 7, 6, 14, 5), "mii", 1),
    ("cmp.lt.andcm p6, p7 = r14, r0", ("cmp.le.and.zero", 0, 6, 7, 14), "mii", 0),
    ("mov r14 = ar.fpsr", ("mov.from_ar.fpsr", 0, 14), "mii", 0),
    ("mov.i ar65 = r14", ("mov.to_ar.lc", 0, 14), "mii", 1),
    ("nop 7", ("nop.i", 0, 7), "mii", 1),
    ("(p9) br here", ("br.cond", 9, 0, 0), "mib", 2),
    ("br.cond.dpnt.many.clr here", ("br.cond", 0, 3, 0), "mib", 2),
    ("br.ret.spnt.few rp", ("br.ret", 0, 1, 0), "mib", 2),
]


@pytest.mark.parametrize(("text", "expected", "template", "slot"), ALIASES, ids=lambda v: str(v))
def test_pseudo_operations(text, expected, template, slot):
    assert one(text, template, slot) == expected


NOT_SAMPLED = ("label", "code", "symbol", "name", "a", "high")
"""Fields that a linker fills in; of a frame, which would not fit."""


def _alias_examples():
    """(pseudo-operation, the same through its row) for every alias, with sample operands."""
    registers = {"r": 20, "f": 20, "p": 6, "b": 6}
    for patterns in alias_patterns().values():
        for pattern in patterns:
            if any(f"{{{name}}}" in pattern.syntax for name in NOT_SAMPLED):
                continue
            given = {}
            for operand in (piece for piece in pattern.pieces if not isinstance(piece, str)):
                if isinstance(operand.kind, RegisterKind):
                    given[operand.name] = registers[operand.name[0]] + int(operand.name[1:])
                else:
                    given[operand.name] = 6
            if pattern.row.name == "addl" and "r3" in given:
                given["r3"] = 3
            prefix = {n: n[0] if n[0] in registers and n[1:].isdigit() else "" for n in given}
            names = {name: f"{prefix[name]}{value}" for name, value in given.items()}
            text = pattern.syntax.format(**names)
            program = BundleProgram("epic", "", [], np.empty((0, 8)), np.empty(0))
            yield (
                pattern.row,
                text,
                instruction_text(pattern.row, pattern.values(given), program, {}),
            )


@needs_gnu_as
def test_every_alias_is_what_gnu_as_makes_of_it(tmp_path):
    nops = {"A": ("mii", 0), "M": ("mii", 0), "I": ("mii", 1), "F": ("mfi", 1), "LX": ("mlx", 1)}
    pairs: tuple[list[str], list[str]] = ([], [])
    for row, pseudo, plain in _alias_examples():
        template, slot = nops[row.slot_kind]
        for chosen, text in zip(pairs, (pseudo, plain), strict=True):
            lines = [f"nop.{letter} 0" for letter in template]
            lines[slot] = text
            chosen.append(bundle(*lines, template=template))
    left, right = (code_bytes(".explicit\n.text\n" + "".join(chosen), tmp_path) for chosen in pairs)
    different = [
        (pairs[0][k], pairs[1][k])
        for k in range(len(pairs[0]))
        if left[16 * k : 16 * k + 16] != right[16 * k : 16 * k + 16]
    ]
    assert len(pairs[0]) > 150
    assert different == []


NOPS = bundle("nop.m 0", "nop.i 0", "nop.i 0")
WRONG = {
    # name: (text, line, column, part of the message, part of the hint)
    "unknown template": ("{ .mim\nnop.m 0\nnop.i 0\nnop.m 0\n}\n", 2, 1, "unknown template '.mim'",
                         ".mmi"),
    "no instruction": ("{ .mii\n}\n" + NOPS, 1, 1, "no instruction", "nop"),
    "too many": ("{ .mlx\nnop.m 0\nnop.x 0\nnop.i 0\n}\n", 4, 1, "no slot is left for 'nop.i'", ""),
    "wrong slot": (bundle("ld8 r14 = [r15]", "ld8 r16 = [r15]", "nop.i 0"), 3, 1,
                   "'ld8' does not go into slot 1 of .mii", "slot of kind M"),
    "wrong template": (".mbb\nfma.d f6 = f7, f8, f9\n", 2, 1, "'fma.d' does not go into .mbb",
                       "slot of kind F"),
    "no such stop": ("{ .mfi\nnop.m 0\nnop.f 0 ;;\nnop.i 0\n}\n", 3, 1,
                     "no .mfi with a stop after slot 1", "after 2"),
    "unknown instruction": (bundle("lod8 r14 = [r15]", "nop.i 0", "nop.i 0"), 2, 1,
                            "unknown instruction 'lod8'", "did you mean 'ld8'?"),
    "speculation": (bundle("ld8.s r14 = [r15]", "nop.i 0", "nop.i 0"), 2, 1, "not supported",
                    "NaT"),
    "range": (bundle("adds r14 = 8192, r15", "nop.i 0", "nop.i 0"), 2, 1,
              "8192 is outside -8192 … 8191", "adds {r1} = {imm}, {r3}"),
    "addl base": (bundle("addl r14 = 1, r15", "nop.i 0", "nop.i 0"), 2, 1, "r0 to r3", "addl"),
    "shift by 64": (bundle("nop.m 0", "shl r14 = r15, 64", "nop.i 0"), 3, 1, "64 is outside 0",
                    "forms"),
    "fetchadd": (bundle("fetchadd8.acq r14 = [r15], 3", "nop.i 0", "nop.i 0"), 2, 1,
                 "3 is not one of -16", "fetchadd8"),
    "unsigned compare with zero": (bundle("cmp.leu p6, p7 = 0, r14", "nop.i 0", "nop.i 0"), 2, 1,
                                   "0 has nothing below it", "cmp.leu"),
    "register file": (bundle("add r14 = r15, f6", "nop.i 0", "nop.i 0"), 2, 1,
                      "'f6' is not a general register", "add {r1} = {r2}, {r3}"),
    "register number": (bundle("mov r128 = r0", "nop.i 0", "nop.i 0"), 2, 1, "r128", "forms"),
    "form": (bundle("ld8 r14 = r15", "nop.i 0", "nop.i 0"), 2, 1, "form of this instruction",
             "[{r3}]"),
    "predicate": (bundle("(p64) nop.m 0", "nop.i 0", "nop.i 0"), 2, 1, "'p64' is not a predicate",
                  "p0 to p63"),
    "predicated cloop": (bundle("nop.m 0", "nop.i 0", "(p6) br.cloop.sptk x", template="mib")
                         + "x:\n" + NOPS, 4, 1, "takes no predicate", ""),
    "cloop in slot 1": (bundle("nop.m 0", "br.cloop.sptk x", "nop.b 0", template="mbb")
                        + "x:\n" + NOPS, 3, 1, "goes into the last slot", ""),
    "write to r0": (bundle("add r0 = r1, r2", "nop.i 0", "nop.i 0"), 2, 1, "r0 never changes", ""),
    "write to f1": (bundle("ldfd f1 = [r14]", "nop.i 0", "nop.i 0"), 2, 1, "f1 never changes", ""),
    "load over its address": (bundle("ld8 r14 = [r14], 8", "nop.i 0", "nop.i 0"), 2, 1,
                              "written twice", ""),
    "pair of even registers": (bundle("ldfpd f6, f8 = [r14]", "nop.i 0", "nop.i 0"), 2, 1,
                               "one odd and one even", ""),
    "label": (bundle("nop.m 0", "nop.i 0", "br.cond.sptk nowhere", template="mib"), 4, 1,
              "no label 'nowhere'", "br.cond.sptk {target}"),
    "label twice": ("a:\n" + NOPS + "a:\n" + NOPS, 7, 1, "'a' is defined twice", "test.s:1:1"),
    "label in a bundle": ("{ .mii\nnop.m 0\na: nop.i 0\nnop.i 0\n}\n", 3, 1, "first in a bundle",
                          ""),
    "label at the end": (bundle("nop.m 0", "nop.i 0", "br.cond.sptk end", template="mib")
                         + "end:\n", 4, 1, "no bundle after it", ""),
    "label of a register's name": ("r5:\n" + NOPS, 1, 1, "'r5' is a register", ""),
    "frame": (bundle("alloc r2 = ar.pfs, 1, 0, 0, 0", "nop.i 0", "nop.i 0")
              + bundle("mov in1 = r2", "nop.i 0", "nop.i 0"), 7, 1,
              "'in1' is not in the frame", "mov"),
    "large frame": (bundle("alloc r2 = ar.pfs, 90, 7, 0, 0", "nop.i 0", "nop.i 0"), 2, 1,
                    "a frame of 97", "at most 96"),
    "directive": (".palign 3\n" + NOPS, 1, 1, "unknown directive '.palign'", ".align"),
    "macro": (".macro twice a\n" + NOPS, 1, 1, "'.macro' is not expanded", "cpp"),
    "automatic mode": (".auto\n" + NOPS, 1, 1, "'.auto' mode", ";;"),
    "data without label": (NOPS + ".data\ndata8 1\n", 7, 1, "data without a label", "table:"),
    "data too large": (NOPS + ".data\nt: data1 256\n", 7, 4, "256 does not fit 8 bits", ""),
    "data not a number": (NOPS + ".data\nt: real8 x\n", 7, 4, "'x' is not a number", ""),
    "huge space": (NOPS + ".data\nt: .skip 1<<40\n", 7, 4, "not a size", ""),
    "huge spaces": (
        NOPS + ".data\nt: .skip 1<<20\nu: .skip 1<<28\n", 8, 4, "267386880, which is left", "",
    ),
    "expression": (bundle("mov r14 = 1 +", "nop.i 0", "nop.i 0"), 2, 1, "operand is missing", ""),
    "not closed": ("{ .mii\nnop.m 0\nnop.i 0\nnop.i 0\n", 1, 1, "not closed", "'}'"),
    "closed twice": (NOPS + "}\n", 6, 1, "'}' without '{'", ""),
    "section flags": ('.section weird, "q"\n' + NOPS, 1, 1, "'q' are not flags", "ax"),
    "section": (".section .txet\n" + NOPS + NOPS, 3, 1, "in section '.txet', which has no", "ax"),
    "relation": ('.pred.rel "unless", p1, p2\n' + NOPS, 1, 1, "unknown relation", "mutex"),
    "relation of a register": ('.pred.rel "mutex", p1, r2\n', 1, 1, "'r2' is not a predicate", ""),
    "linker's address": ("addl r14 = @fptr(f), gp\n", 1, 1, "'@fptr' needs a linker", ""),
    "code from gp": ("a: addl r14 = @gprel(a), gp\n", 1, 4, "'a' is code, and out of reach", ""),
    "address of nothing": ("nop 0\n.data\nt: data8 2, u\n", 3, 4, "'u' is not a constant", "label"),
    "system register": ("mov r14 = ar.itc\n", 1, 1, "'ar.itc' is not modelled", ""),
    "multimedia": ("padd1 r14 = r15, r16\n", 1, 1, "not supported", "multimedia"),
    "SIMD": ("fpma f6 = f7, f8, f9\n", 1, 1, "not supported", "SIMD"),
    "too many rotate": (".rotr a[4]\n", 1, 1, "4 names for 0 rotating registers", ""),
    "index": ("alloc r2 = ar.pfs, 0, 8, 0, 8\n.rotr a[4]\nmov a[4] = r2\n", 3, 1,
              "no a[4]: it has 4", ""),
    "no such numbered label": ("1: br.cond.sptk 1f\n", 1, 4, "no label 1 (in that", "{target}"),
    "space in text": ("nop 0\n.skip 8\n", 2, 1, "8 bytes between instructions", "16"),
    "instruction in data": (".data\nnop 0\n", 2, 1, "an instruction in section .data", ".text"),
    "equal to nothing": ("a = b\nnop 0\n", 1, 1, "'b' is not a constant", "register"),
    "group": (bundle("add r14 = r15, r16", "add r17 = r14, r18", "nop.i 0"), 3, 1,
              "reads r14, which line 2 writes", "after line 2"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_refusals_point_at_the_place(name):
    text, line, column, message, hint = WRONG[name]
    with pytest.raises(InputError) as caught:
        read(text)
    first = caught.value.diagnostics[0]
    assert (first.location.line, first.location.column) == (line, column), str(first)
    assert message in first.message
    assert hint in (first.hint or "")


def test_all_findings_come_at_once():
    text = bundle("lod8 r14 = [r15]", "nop.i 0", "shl r14 = r15, 64") + ".palign 3\n"
    with pytest.raises(InputError) as caught:
        read(text)
    assert [finding.location.line for finding in caught.value.diagnostics] == [2, 4, 6]


def targets(text: str) -> list[int]:
    """The bundle that each branch of a text goes to."""
    return [row[3] for row in decoded(read(text)) if row[0] == "br.cond"]


def test_numbered_labels_are_the_nearest():
    text = "1: br 1b ;;\n br 1f ;;\n2: br 1b ;;\n1: br 1b ;;\n br 2b ;;\n"
    assert targets(text) == [0, 3, 0, 3, 2]


def test_a_tag_names_the_bundle_it_stands_in():
    text = "nop.m 0\n[there:] add r14 = r15, r16 ;;\nbr there ;;\n"
    assert targets(text) == [0]


def test_marked_names_distances_and_ends():
    text = ".global start#\nstart: brp.loop.imp start, end-16\nbr.many start# ;;\nend:\n"
    program = read(text)
    assert (program.name, program.labels) == ("start", {0: "start"})
    announced = next(row for row in decoded(program) if row[0] == "brp.sptk")
    assert announced[2:4] == (0, program.bundles - 1)


def test_names_of_registers():
    text = """
        .regstk 1, 1, 1, 0
        count = r20
        .set factor, f9
        LAST = 3
        .set LAST, LAST + 1
        alloc r2 = ar.pfs, 0, 16, 0, 16
        .rotr x[2], y[LAST]
        .rotp p[2]
        (p[1]) ld8 y[LAST - 1] = [x[1]], 8
        fma.d factor = f1, factor, f1
        add count = x[0], y[0] ;;
    """
    rows = [row for row in decoded(read(text)) if not row[0].startswith("nop")]
    assert [row[1:5] for row in rows[1:]] == [(17, 37, 33, 8), (0, 9, 1, 9), (0, 20, 32, 34)]


def test_sections_that_nothing_loads_are_passed_over():
    program = read(
        '.section .note.GNU-stack,"",@progbits\n.weird 3\n.text\nnop 0 ;;\n'
        '.section .rodata.str8.8,"aMS",@progbits,8\nword: .quad 7\n'
        '.section .IA_64.unwind_info,"a"\ndata8 1\n.previous\n.byte 1, 2\n'
    )
    assert [(b.name, b.size) for b in program.buffers] == [("word", 10)]
    assert program.bundles == 1


def test_tables_between_instructions_are_buffers():
    program = read("nop 0 ;;\n.align 64\ntable: data4 1, 2\n data4 3\nlast: nop 0\n")
    assert [(b.name, b.count) for b in program.buffers] == [("table", 3)]
    assert program.labels == {4: "last"}


def test_one_target_and_status_fields():
    assert one("cmp.ne p6 = r14, r15") == ("cmp.eq", 0, 0, 6, 14, 15)
    assert one("tbit.z p6 = r14, 3", slot=1) == ("tbit.z", 0, 6, 0, 14, 3)
    assert one("fma.d.s2 f6 = f7, f8, f9", "mfi", 1) == ("fma.d.s0", 0, 6, 7, 8, 9)
    assert one("mov b6 = r14, here", slot=1) == ("mov.to_branch", 0, 6, 14)


RELATED = "(p6) mov r14 = r15\n(p7) mov r14 = r16 ;;\n"


@pytest.mark.parametrize(
    ("declared", "accepted"),
    [('.pred.rel "mutex", p6, p7\n', True), (".pred.rel.mutex p6, p7\n", True), ("", False),
     ('.pred.rel "mutex", p6, p7\n.pred.rel "clear", p6\n', False),
     ('.pred.rel @mutex, p5, p6, p7\n.pred.rel "clear"\n', False)],
)  # fmt: skip
def test_declared_relations(declared, accepted):
    text = f"{declared}{RELATED}"
    if accepted:
        read(text)
    else:
        with pytest.raises(InputError, match="writes r14"):
            read(text)


def test_an_implied_predicate_of_a_branch_not_taken():
    text = "{}start: (p6) add r14 = r15, r16\n(p7) br start\nadd r14 = r17, r18 ;;\n"
    read(text.format('.pred.rel "imply", p6, p7\n'))
    with pytest.raises(InputError, match="writes r14"):
        read(text.format(""))


def test_places_are_those_of_the_preprocessor():
    before, after = '# 1 "sum.S"\nnop 0\n# 41 "macros.h" 1\n', '# 3 "sum.S" 2\nmov r0 = r1\n'
    with pytest.raises(InputError) as caught:
        read(f"{before}  lod8 r14 = [r15]\n{after}")
    places = [(str(finding.location), finding.source_line) for finding in caught.value.diagnostics]
    assert places == [("macros.h:41:3", "  lod8 r14 = [r15]"), ("sum.S:3:1", "mov r0 = r1")]


def test_an_empty_file_is_refused():
    with pytest.raises(InputError, match="no instructions"):
        read("# nothing\n")


@pytest.mark.parametrize(
    ("text", "value"),
    [("1<<16", 65536), ("0x10 + 010 - 0b11", 21), ("-(2 + 3) * 4", -20), ("~0 & 0xff", 255),
     ("'A", 65), ("7 / -2", -3), ("7 % -2", 1), ("1 + 2 << 3", 17), ("N*2", 10)],
)  # fmt: skip
def test_expressions(text, value):
    """As GNU as: shifts bind like products."""
    assert evaluate(text, {"N": 5}) == value


@pytest.mark.parametrize(
    "text", ["", "1 +", "(1", "1 / 0", "x", "1 << 65", "1 2", "089", "$!", "(" * 5000]
)
def test_expressions_refused(text):
    with pytest.raises(ExpressionError):
        evaluate(text, {})
