"""The languages of programs, as far as damaging them needs: their words by class."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from machines.instructions import operations


@dataclass(frozen=True)
class Language:
    """How a language's text falls into words.

    words       (class, expression) in order; the first that matches gives a word its class
    comment     what begins one
    frame       statements that hold others together, which are left alone for the most part
    vocabulary  words of a class that the language knows
    structure   how often the structure is changed and not a word
    kin         (line, word) -> what a word has in common with those that may well replace it
    """

    words: tuple[tuple[str, str], ...]
    comment: str
    frame: str
    vocabulary: Mapping[str, Sequence[str]] = field(hash=False)
    structure: float = 0.3
    kin: Callable[[str, str], str] = lambda line, word: ""

    def split(self, line: str) -> list[tuple[str, str]]:
        """(class, text) of everything in a line; blanks have the class ''."""
        found = _pattern(self.words).finditer(line)
        return [(match.lastgroup or "", match[0]) for match in found]


@cache
def _pattern(words: tuple[tuple[str, str], ...]) -> re.Pattern:
    named = "|".join(f"(?P<{name}>{expression})" for name, expression in words)
    return re.compile(rf"\s+|{named}|.")


def _words(text: str) -> list[str]:
    return text.split()


def _stem(line: str, word: str) -> str:
    """The type of most variables of the IR's generators stands in their names."""
    return re.match(r"@?[a-z]*(?:_[a-z]+)?", word)[0]


def _llvm_type(line: str, word: str) -> str:
    """The type before an operand, or of what a line defines."""
    before = re.search(
        r"(i\d+|double|float|ptr)\*? (?:[^ ]+, )?" + re.escape(word) + r"(?!\w)", line
    )
    if before:
        return before[1]
    if "cmp" in line:
        return "i1"
    made = re.search(r" to (\w+)$", line) or re.search(r"= \w+(?: \w+)*? (i\d+|double|float)", line)
    return made[1] if made else ""


TYPES = _words("i1 i8 i16 i32 i64 f32 f64 ptr")

IR = Language(
    words=(
        ("number", r"-?\d[\w.]*(?:[+-]\d+)?"),
        ("type", r"(?:i1|i8|i16|i32|i64|f32|f64|ptr)\b"),
        ("operation", r"[a-z_]+(?:\.[a-z][\w]*)+"),
        ("keyword", r"(?:func|in|global|shared|local|jump|branch|return|opaque|if|not|phi)\b"),
        ("name", r"@?[A-Za-z_][\w.]*"),
        ("mark", r"->|[^\s\w]"),
    ),
    comment="#",
    frame=r"func|[}]|jump|branch|return|[\w.]+:$|\w+: ",
    vocabulary={"operation": list(operations().family("ir")), "type": TYPES},
    kin=_stem,
)

TILES = Language(
    words=(
        ("number", r"\d[\w.]*"),
        ("type", r"(?:i8|i16|i32|i64|f16|bf16|f32|f64|[A-Z])\b"),
        ("space", r"(?:dram|nram|wram|sram|global)\b"),
        ("operation", r"[a-z_]+(?:\.[a-z][\w]*)+"),
        ("keyword", r"(?:func|in|for|by|const|use|call|return|jump|branch|min|max)\b"),
        ("function", r"@\w+"),
        ("name", r"[a-z_]\w*"),
        ("operator", r"\+:|[-+*/%:]"),
        ("mark", r"[^\s\w]"),
    ),
    comment="#",
    frame=r"func|[}]|for|use|const|\w.* in dram$",
    vocabulary={
        "operation": sorted(
            {
                name.rsplit(".", 1)[0]
                for name in operations().family("ir")
                if name.startswith("tensor.")
            }
        ),
        "type": [*TYPES, "bf16", "T"],
        "operator": ["+", "-", "*", "/", "%", ":", "+:"],
        "keyword": ["for", "by", "in", "min", "max", "any", "const"],
    },
)

ASSEMBLY = Language(
    words=(
        ("directive", r"\.[a-z]\w*"),
        ("number", r"-?(?:0x[\da-fA-F]+|\d+)\b"),
        ("integer", r"r\d+\b"),
        ("floating", r"f\d+\b"),
        ("predicate", r"p\d+\b"),
        ("branch", r"b\d+\b"),
        ("special", r"(?:ar\.\w+|pr(?:\.rot)?|ip|cfm)\b"),
        ("mnemonic", r"[a-z][a-z0-9]*(?:\.[a-z0-9]+)*"),
        ("name", r"[A-Za-z_]\w*"),
        ("mark", r";;|[^\s\w]"),
    ),
    comment="//",
    frame=r"[{}.]|\w+:",
    vocabulary={
        "integer": _words("r0 r1 r8 r12 r14 r15 r31 r32 r33 r40 r95 r96 r127 r128"),
        "floating": _words("f0 f1 f2 f6 f8 f31 f32 f33 f127 f128"),
        "predicate": _words("p0 p1 p6 p15 p16 p17 p62 p63 p64"),
        "special": _words("ar.lc ar.ec ar.pfs ar.ccv ar.fpsr ar.unat pr pr.rot ip"),
        "mnemonic": _words("""
            add adds addl sub and or xor shl shr shr.u shladd cmp.eq cmp.lt cmp.ltu cmp.ge cmp4.lt
            tbit.z mov ld1 ld2 ld4 ld8 ldfs ldfd ldfe ldf8 ldfps ldfpd st1 st2 st4 st8 stfs stfd
            stfe stf8 stf.spill ldf.fill fma fma.s fma.d fms fnma fadd fsub fmpy fcmp.lt fcvt.xf
            fcvt.fx.trunc setf.sig setf.s getf.sig xma.l xma.hu sxt1 sxt2 sxt4 zxt1 zxt4 popcnt dep
            dep.z extr extr.u shrp br.cond.sptk br.ctop.sptk br.cexit br.wtop br.cloop br.call
            br.ret alloc clrrrb nop.m nop.i nop.f nop.b break.m break.i lfetch cmpxchg8.acq xchg8
            fetchadd8.acq mux1 mf frcpa frsqrta brl br.ia chk.s ld8.s pmpyshr2
        """),
        "directive": _words(
            ".text .data .global .proc .endp .align .explicit .byte .section .quad"
        ),
    },
)

LLVM = Language(
    words=(
        ("text", r'c?"[^"]*"'),
        ("local", r"%[\w.]+"),
        ("global", r"@[\w.]+"),
        ("metadata", r"![\w.]*"),
        ("attribute", r"#\d+"),
        ("type", r"(?:i\d+|double|float|half|ptr|void)\b"),
        ("number", r"-?\d[\w.+]*"),
        ("relation", r"(?:eq|ne|[su][gl][te]|[ou](?:eq|ne|lt|le|gt|ge)|ord|uno)\b"),
        ("operation", r"(?:add|sub|mul|[su]div|[su]rem|and|or|xor|shl|[al]shr)\b"),
        ("floating", r"f(?:add|sub|mul|div|rem)\b"),
        ("cast", r"(?:[sz]ext|trunc|bitcast|fpext|fptrunc|fpto[su]i|[su]itofp|freeze)\b"),
        ("word", r"[A-Za-z_][\w.]*"),
        ("mark", r"[^\s\w]"),
    ),
    comment=";",
    frame=r"define|declare|[}]|[\w.]+:|br |ret|attributes",
    vocabulary={
        "type": _words("i1 i8 i16 i32 i64 i128 i7 float double half ptr void"),
        "operation": _words("add sub mul udiv sdiv urem srem and or xor shl lshr ashr"),
        "floating": _words("fadd fsub fmul fdiv frem"),
        "word": _words("""
            nsw nuw exact inbounds volatile atomic tail musttail noalias undef poison
            zeroinitializer null signext zeroext switch br ret unreachable phi select load store
            call getelementptr alloca
        """),
        "attribute": _words("#0 #1 #9 #99999"),
    },
    structure=0.1,
    kin=_llvm_type,
)

PTX = Language(
    words=(
        ("special", r"%(?:n?tid|n?ctaid)\.[xyz]|%(?:laneid|warpid|clock(?:64)?|envreg\d+)\b"),
        ("predicate", r"%p\d+\b"),
        ("half", r"%rs\d+\b"),
        ("wide", r"%rd\d+\b"),
        ("single", r"%f\d+\b"),
        ("double", r"%fd\d+\b"),
        ("register", r"%\w+"),
        ("label", r"\$\w+"),
        ("operation", r"[a-z]+\d?(?:\.[a-z0-9_]+)+(?:::\w+)?"),
        ("directive", r"\.\w+"),
        ("number", r"-?(?:0[fFdDxX][\da-fA-F]+|\d+)\b"),
        ("name", r"\w+"),
        ("mark", r"[^\s\w]"),
    ),
    comment="//",
    frame=r"[{}().]|\$|@?%?p?\d* ?bra|ret",
    vocabulary={
        "operation": _words("""
            add.s32 add.s64 add.u16 sub.s32 mul.lo.s32 mul.wide.s32 mul.hi.u32 mad.lo.s32
            mad.wide.u32 div.s32 div.u32 rem.s32 and.b32 or.b64 xor.b32 shl.b32 shr.s32 shr.u64
            not.b32 neg.s32 min.s32 max.u32 setp.lt.s32 setp.eq.s64 setp.geu.f32 selp.b32 mov.u32
            mov.b64 mov.u64 cvt.s64.s32 cvt.u32.u64 cvt.rn.f32.s32 cvt.rzi.s32.f32 cvt.rn.f32.f64
            ld.global.u32 ld.global.f32 ld.global.v2.u32 ld.shared.u32 ld.param.u64 ld.param.u32
            st.global.u32 st.global.f32 st.shared.u32 st.local.u32 add.f32 mul.f32 fma.rn.f32
            div.rn.f32 sqrt.rn.f32 add.f64 fma.rn.f64 bar.sync bar.warp.sync atom.global.add.u32
            red.global.add.u32 shfl.sync.down.b32 vote.sync.ballot.b32 popc.b32 clz.b32 bfe.u32
            brev.b32 prmt.b32 cvta.to.global.u64 bra.uni call.uni ret membar.gl tex.2d.v4.f32.f32
            cvt.pack.sat.s8.s32.b32 activemask.b32 ex2.approx.f32 lop3.b32 shf.l.wrap.b32
        """),
        "directive": _words(
            ".reg .pred .b32 .b64 .u32 .s32 .f32 .param .shared .global .const .align"
        ),
        "special": _words(
            "%tid.x %tid.y %ntid.x %ctaid.x %nctaid.x %laneid %clock %envreg2 %warpid"
        ),
    },
)

PYTHON = Language(
    words=(
        ("text", r'"[^"]*"'),
        ("type", r"(?:[iu](?:8|16|32|64)|f32|f64|boolean)\b"),
        ("number", r"\d[\w.]*"),
        ("keyword", r"(?:if|elif|else|for|while|in|and|or|not|return|break|continue|def|pass)\b"),
        ("name", r"[A-Za-z_]\w*"),
        ("operator", r"\*\*|//|<<|>>|[<>=!]=|[-+*/%&|^<>]=?"),
        ("mark", r"[^\s\w]"),
    ),
    comment="#",
    frame=r"@|def|from|import",
    vocabulary={
        "type": _words("i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 boolean"),
        "operator": _words("+ - * / // % ** << >> & | ^ < <= == != > >="),
        "name": _words("min max abs len sqrt range fma"),
    },
)
