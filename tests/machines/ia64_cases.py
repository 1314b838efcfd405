"""Hand-computed cases of every ia64 row, and the little programs that run them.

A case is text, `inputs -> expected`, over the operand names of its row:

    r2=5 r3=-7 -> r1=-2         general registers
    f3=1.5 f2=#7 -> f1=2.5      floating registers: doubles, or # and an integer significand,
                                or sign:exponent:significand in hexadecimal
    p1=1, b2=there, ar.lc=3     predicates, branch registers ('there', 'next': code addresses)
    imm=4                       immediates
    r3=@8 m8=0x11 -> r3=@16     @n is the address of byte n of the buffer `cell`, mN eight bytes of
                                it (dN, as many bytes as the row accesses, if it is less)
    qp=0                        the qualifying predicate is false
    taken=1                     the branch goes to its target
    fault=break 2               the instruction faults
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from compiler.frontends.ia64 import PLUGIN
from machines.instructions import operations
from machines.kinds.epic.program import BUNDLE_BYTES, CODE_BASE, BundleProgram
from machines.layout import Memory
from machines.operations.row import Immediate, Label, Operation, RegisterKind
from machines.vocabulary import floating
from machines.vocabulary.numbers import wrap

CELL, CELL_BYTES = "cell", 128
REGISTERS = {
    "r1": "r14", "r2": "r15", "r3": "r16", "f1": "f6", "f2": "f7", "f3": "f8", "f4": "f9",
    "p1": "p6", "p2": "p7", "b1": "b6", "b2": "b7",
}  # fmt: skip
SPECIAL_REGISTERS = {"addl": {"r3": "r2"}, "addl.gprel": {"r3": "r2"}}
FALSE, SCRATCH, MARKER = "p15", "r20", "r30"
EPILOGUE_COUNT = "r29"
"""Receives ar.ec before the program returns, since br.ret sets ar.ec."""
FELL_THROUGH, TAKEN = 1, 2
_NOPS = {"M": "nop.m 0", "I": "nop.i 0", "F": "nop.f 0", "B": "nop.b 0"}
_BUNDLES = {"A": "mii", "M": "mii", "I": "mii", "F": "mfi", "B": "mib", "LX": "mlx"}


SIMPLE = {
    "add": ["r2=5 r3=-7 -> r1=-2", "r2=0x7fffffffffffffff r3=1 -> r1=-0x8000000000000000"],
    "add.plus1": ["r2=5 r3=-7 -> r1=-1"],
    "sub": ["r2=5 r3=-7 -> r1=12", "r2=-0x8000000000000000 r3=1 -> r1=0x7fffffffffffffff"],
    "sub.minus1": ["r2=5 r3=-7 -> r1=11"],
    "sub.imm": ["imm=-128 r3=2 -> r1=-130", "imm=127 r3=-1 -> r1=128"],
    "adds": ["imm=8191 r3=-1 -> r1=8190", "imm=-8192 r3=0 -> r1=-8192"],
    "addl": ["imm=2097151 r3=1 -> r1=2097152", "imm=-2097152 r3=0 -> r1=-2097152"],
    "shladd": ["r2=3 count=4 r3=-1 -> r1=47", "r2=0x4000000000000000 count=1 r3=5 "
               "-> r1=-0x7ffffffffffffffb"],
    "addp4": ["r2=5 r3=-2147483648 -> r1=0x4000000080000005",
              "r2=-1 r3=0x1c0000000 -> r1=0x60000000bfffffff"],
    "addp4.imm": ["imm=-1 r3=0x40000000 -> r1=0x200000003fffffff"],
    "shladdp4": ["r2=3 count=4 r3=-1 -> r1=0x600000000000002f"],
    "and": ["r2=12 r3=10 -> r1=8", "r2=-1 r3=-2 -> r1=-2"],
    "and.imm": ["imm=-2 r3=7 -> r1=6"],
    "or": ["r2=12 r3=10 -> r1=14"],
    "or.imm": ["imm=-128 r3=7 -> r1=-121"],
    "xor": ["r2=12 r3=10 -> r1=6"],
    "xor.imm": ["imm=-1 r3=7 -> r1=-8"],
    "andcm": ["r2=12 r3=10 -> r1=4"],
    "andcm.imm": ["imm=-1 r3=7 -> r1=-8"],
    "shl": ["r2=3 r3=62 -> r1=-0x4000000000000000", "r2=3 r3=64 -> r1=0", "r2=3 r3=-1 -> r1=0"],
    "shr": ["r3=-8 r2=1 -> r1=-4", "r3=-8 r2=64 -> r1=-1", "r3=8 r2=-1 -> r1=0"],
    "shr.u": ["r3=-8 r2=60 -> r1=15", "r3=-8 r2=64 -> r1=0", "r3=-8 r2=0 -> r1=-8"],
    "extr": ["r3=0xf0 position=4 length=4 -> r1=-1", "r3=0x70 position=4 length=4 -> r1=7",
             "r3=-0x8000000000000000 position=60 length=16 -> r1=-8",
             "r3=-5 position=0 length=64 -> r1=-5"],
    "extr.u": ["r3=0xf0 position=4 length=4 -> r1=15",
               "r3=-0x8000000000000000 position=60 length=16 -> r1=8",
               "r3=-5 position=0 length=64 -> r1=-5"],
    "dep.z": ["r2=0x1f position=4 length=4 -> r1=0xf0",
              "r2=-1 position=60 length=64 -> r1=-0x1000000000000000"],
    "dep.z.imm": ["imm=-1 position=4 length=8 -> r1=0xff0", "imm=5 position=1 length=2 -> r1=2"],
    "dep": ["r2=-1 r3=0 position=4 length=4 -> r1=0xf0", "r2=5 r3=-1 position=0 length=16 "
            "-> r1=-0xfffb", "r2=5 r3=0 position=62 length=16 -> r1=0x4000000000000000"],
    "dep.imm": ["imm=-1 r3=0 position=8 length=8 -> r1=0xff00",
                "imm=0 r3=-1 position=0 length=64 -> r1=0"],
    "shrp": ["r2=1 r3=-1 count=4 -> r1=0x1fffffffffffffff", "r2=1 r3=7 count=0 -> r1=7"],
    "sxt1": ["r3=0x1ff -> r1=-1", "r3=0x17f -> r1=127"],
    "sxt2": ["r3=0x1ffff -> r1=-1"],
    "sxt4": ["r3=0x1ffffffff -> r1=-1", "r3=0x17fffffff -> r1=0x7fffffff"],
    "zxt1": ["r3=-1 -> r1=255"],
    "zxt2": ["r3=-1 -> r1=65535"],
    "zxt4": ["r3=-1 -> r1=0xffffffff"],
    "popcnt": ["r3=-1 -> r1=64", "r3=0x8001 -> r1=2"],
    "pmpyshr2": ["r2=0x7fff80000003ffff r3=0x7fff800000050002 count=0 -> r1=0x10000000ffffe",
                 "r2=0x7fff8000ffff0100 r3=0x7fff80000100ffff count=15 -> r1=0x7ffe8000ffffffff"],
    "pmpyshr2.u": ["r2=0xffff00010100ffff r3=0xffffffff01000001 count=16 -> r1=-0x1ffffffff0000",
                   "r2=0xffff r3=0xffff count=7 -> r1=0xfc00"],
    "pmpy2.r": ["r2=0x1234800056780003 r3=0x5678800043210005 -> r1=0x400000000000000f"],
    "pmpy2.l": ["r2=0x8000123480005678 r3=0x0002123400034321 -> r1=-0xffff00018000"],
    "mux1.rev": ["r2=0x0102030405060708 -> r1=0x0807060504030201",
                 "r2=0xff -> r1=-0x100000000000000"],
    "mux1.brcst": ["r2=0x1ff -> r1=-1", "r2=0x7f -> r1=0x7f7f7f7f7f7f7f7f"],
    "mux2": ["r2=0x1111222233334444 imm=0x44 -> r1=0x3333444433334444",
             "r2=0x1111222233334444 imm=0x1b -> r1=0x4444333322221111"],
    "czx1.l": ["r3=0x0102030405060708 -> r1=8", "r3=0x0102000405060008 -> r1=2", "r3=1 -> r1=0"],
    "czx1.r": ["r3=0x0102030405060708 -> r1=8", "r3=0x0102000405060008 -> r1=1", "r3=0 -> r1=0",
               "r3=0x1010101010101 -> r1=7"],
    "movl": ["imm=-0x8000000000000000 -> r1=-0x8000000000000000", "qp=0 imm=5 r1=9 -> r1=9"],
    "movl.symbol": [" -> r1=@0"],
    "addl.gprel": ["r3=0x10000 -> r1=@0", "r3=0x10008 -> r1=@8", "qp=0 r3=0 r1=9 -> r1=9"],
    "mov.to_branch": ["r2=0x4000000000000040 -> b1=0x4000000000000040"],
    "mov.from_branch": ["b2=there -> r1=there"],
    "mov.from_ip": [" -> r1=here"],
    "mov.from_pr": ["p1=1 p2=1 -> r1=0xc1", " -> r1=1"],
    "mov.to_pr": ["r2=0xc0 mask=-2 -> p1=1 p2=1", "r2=0xc0 mask=0x40 p2=0 -> p1=1 p2=0",
                  "r2=0 mask=-0x10000 p1=1 -> p1=1"],
    "mov.to_pr_rot": ["imm=0x10000 p1=1 -> p16=1 p1=1 p17=0", "imm=-0x10000 -> p16=1 p63=1 p1=0"],
    "mov.to_ar.lc": ["r2=-1 -> ar.lc=-1"],
    "mov.to_ar.lc.imm": ["imm=-128 -> ar.lc=-128"],
    "mov.from_ar.lc": ["ar.lc=77 -> r1=77"],
    "mov.to_ar.ec": ["r2=0x45 -> ar.ec=5"],
    "mov.to_ar.ec.imm": ["imm=-1 -> ar.ec=63"],
    "mov.from_ar.ec": ["ar.ec=7 -> r1=7"],
    "mov.to_ar.pfs": ["r2=5 -> ar.pfs=5"],
    "mov.to_ar.pfs.imm": ["imm=3 -> ar.pfs=3"],
    "mov.from_ar.pfs": ["ar.pfs=9 -> r1=9"],
    "mov.to_ar.ccv": ["r2=-6 -> ar.ccv=-6"],
    "mov.to_ar.ccv.imm": ["imm=-6 -> ar.ccv=-6"],
    "mov.from_ar.ccv": ["ar.ccv=11 -> r1=11"],
    "mov.to_ar.fpsr": ["r2=0x9804c0270033f -> ar.fpsr=0x9804c0270033f",
                       "r2=0 -> fault=unmodelled ar.fpsr"],
    "mov.from_ar.fpsr": [" -> r1=0x9804c0270033f"],
    "fsetc.s0": ["and_mask=0x7f or_mask=0 -> ", "and_mask=0 or_mask=12 -> ",
                 "and_mask=0 or_mask=0 -> fault=unmodelled ar.fpsr"],
    "fsetc.s1": ["and_mask=0x7f or_mask=0x42 -> ",
                 "and_mask=0x7f or_mask=0x40 -> fault=unmodelled ar.fpsr"],
    "fsetc.s2": ["and_mask=0x7f or_mask=0x40 -> ",
                 "and_mask=0x7f or_mask=0x42 -> fault=unmodelled ar.fpsr"],
    "fsetc.s3": ["and_mask=0 or_mask=0x4c -> ",
                 "and_mask=0x7f or_mask=0x41 -> fault=unmodelled ar.fpsr"],
    "alloc": ["ar.pfs=21 inputs=0 locals=2 outputs=1 rotating=0 -> r1=21"],
    "nop.m": ["imm=5 -> "], "nop.i": ["imm=5 -> "], "nop.f": ["imm=5 -> "],
    "nop.b": ["imm=5 -> "], "nop.x": ["imm=5 -> "], "mf": [" -> "],
    "rum": ["imm=32 -> "], "sum": ["imm=2 -> "],
    "break.m": ["imm=1 -> fault=division by zero", "qp=0 imm=1 -> "],
    "break.i": ["imm=2 -> fault=break 2"], "break.f": ["imm=3 -> fault=break 3"],
    "break.b": ["imm=0 -> fault=break 0"],
}  # fmt: skip

MEMORY = {
    "ld1": ["r3=@9 m8=0x8070605040302010 -> r1=0x20", "r3=@15 m8=-1 -> r1=255"],
    "ld2": ["r3=@10 m8=0x8070605040302010 -> r1=0x4030", "r3=@9 -> fault=misaligned"],
    "ld4": ["r3=@12 m8=0x8070605040302010 -> r1=0x80706050", "r3=@126 -> fault=out of bounds"],
    "ld8": ["r3=@8 m8=0x8070605040302010 -> r1=-0x7f8f9fafbfcfdff0", "r3=0 -> fault=out of bounds",
            "r3=-8 -> fault=out of bounds", "r3=@128 -> fault=out of bounds",
            "qp=0 r3=0 r1=5 -> r1=5"],
    "ld1.increment_immediate": ["r3=@8 imm=-1 m8=5 -> r1=5 r3=@7"],
    "ld2.increment_immediate": ["r3=@8 imm=2 m8=-1 -> r1=65535 r3=@10"],
    "ld4.increment_immediate": ["r3=@8 imm=255 m8=-1 -> r1=0xffffffff r3=@263"],
    "ld8.increment_immediate": ["r3=@8 imm=-256 m8=-5 -> r1=-5 r3=@-248",
                                "r3=@4 imm=8 r1=1 -> fault=misaligned r1=1 r3=@4"],
    "ld1.increment_register": ["r3=@8 r2=3 m8=5 -> r1=5 r3=@11"],
    "ld2.increment_register": ["r3=@8 r2=-4 m8=7 -> r1=7 r3=@4"],
    "ld4.increment_register": ["r3=@8 r2=0 m8=9 -> r1=9 r3=@8"],
    "ld8.increment_register": ["r3=@8 r2=16 m8=-9 -> r1=-9 r3=@24"],
    "st1": ["r3=@9 r2=0x1234 -> m8=0x3400", "r3=@128 r2=0 -> fault=out of bounds"],
    "st2": ["r3=@10 r2=-1 -> m8=0xffff0000"],
    "st4": ["r3=@12 r2=0x100000002 m8=7 -> m8=0x200000007"],
    "st8": ["r3=@8 r2=-3 -> m8=-3", "qp=0 r3=@8 r2=-3 -> m8=0", "r3=@12 r2=1 -> fault=misaligned"],
    "st1.increment_immediate": ["r3=@8 r2=5 imm=1 -> m8=5 r3=@9"],
    "st2.increment_immediate": ["r3=@8 r2=5 imm=-2 -> m8=5 r3=@6"],
    "st4.increment_immediate": ["r3=@8 r2=-1 imm=4 -> m8=0xffffffff r3=@12"],
    "st8.increment_immediate": ["r3=@8 r2=-1 imm=8 -> m8=-1 r3=@16"],
    "ldfs": ["r3=@8 m8=0x3fc00000 -> f1=1.5", "r3=@8 m8=1 -> f1=0x1p-149",
             "r3=@12 m8=-0x80000000000000 -> f1=-inf", "r3=@9 -> fault=misaligned"],
    "ldfd": ["r3=@8 m8=0x3ff8000000000000 -> f1=1.5", "r3=@8 m8=1 -> f1=0x1p-1074",
             "r3=@8 m8=0x7ff8000000000000 -> f1=nan"],
    "ldf8": ["r3=@8 m8=-3 -> f1=#-3"],
    "ldfe": ["r3=@16 m16=-0x4000000000000000 m24=0x3fff -> f1=1.5",
             "r3=@16 m16=-1 m24=0xbfff -> f1=1:ffff:ffffffffffffffff",
             "r3=@24 -> fault=misaligned"],
    "ldfs.increment_immediate": ["r3=@8 imm=4 m8=0x3fc00000 -> f1=1.5 r3=@12"],
    "ldfd.increment_immediate": ["r3=@8 imm=8 m8=0x3ff8000000000000 -> f1=1.5 r3=@16"],
    "ldf8.increment_immediate": ["r3=@8 imm=-8 m8=3 -> f1=#3 r3=@0"],
    "ldfe.increment_immediate": ["r3=@16 imm=16 m16=-0x8000000000000000 m24=0x4000 "
                                 "-> f1=2.0 r3=@32"],
    "ldfs.increment_register": ["r3=@8 r2=4 m8=0x3fc00000 -> f1=1.5 r3=@12"],
    "ldfd.increment_register": ["r3=@8 r2=-8 m8=0x3ff8000000000000 -> f1=1.5 r3=@0"],
    "ldf8.increment_register": ["r3=@8 r2=1 m8=3 -> f1=#3 r3=@9"],
    "ldfe.increment_register": ["r3=@16 r2=32 m16=-0x8000000000000000 m24=0x4000 "
                                "-> f1=2.0 r3=@48"],
    "ldf.fill": ["r3=@16 m16=-0x4000000000000000 m24=0xffff -> f1=1.5",
                 "r3=@16 m16=-5 m24=0x1003e -> f1=#-5", "r3=@16 m16=0 m24=0 -> f1=0.0",
                 "r3=@16 m16=-1 m24=0x2ffff -> f1=1:ffff:ffffffffffffffff",
                 "r3=@24 -> fault=misaligned"],
    "ldf.fill.increment_immediate": ["r3=@16 imm=16 m16=-0x8000000000000000 m24=0x10000 "
                                     "-> f1=2.0 r3=@32"],
    "ldf.fill.increment_register": ["r3=@16 r2=32 m16=-0x8000000000000000 m24=0x10000 "
                                    "-> f1=2.0 r3=@48"],
    "ldfps": ["r3=@8 m8=0x400000003fc00000 -> f1=1.5 f2=2.0", "r3=@12 -> fault=misaligned"],
    "ldfps.increment_immediate": ["r3=@8 m8=0x400000003fc00000 -> f1=1.5 f2=2.0 r3=@16"],
    "ldfpd": ["r3=@16 m16=0x3ff8000000000000 m24=0x4000000000000000 -> f1=1.5 f2=2.0",
              "r3=@8 -> fault=misaligned"],
    "ldfpd.increment_immediate": ["r3=@16 m16=0x3ff8000000000000 m24=0x4000000000000000 "
                                  "-> f1=1.5 f2=2.0 r3=@32"],
    "ldfp8": ["r3=@16 m16=5 m24=-6 -> f1=#5 f2=#-6"],
    "ldfp8.increment_immediate": ["r3=@16 m16=5 m24=-6 -> f1=#5 f2=#-6 r3=@32"],
    "stfs": ["r3=@8 f2=1.5 -> m8=0x3fc00000", "r3=@8 f2=nan -> m8=0x7fc00000"],
    "stfd": ["r3=@8 f2=-0.0 -> m8=-0x8000000000000000", "r3=@8 f2=nan -> m8=0x7ff8000000000000",
             "r3=@12 f2=1.0 -> fault=misaligned"],
    "stf8": ["r3=@8 f2=#-3 -> m8=-3", "r3=@8 f2=1.5 -> m8=-0x4000000000000000"],
    "stfe": ["r3=@16 f2=1.5 m24=-1 -> m16=-0x4000000000000000 m24=-0xc001",
             "r3=@8 f2=1.0 -> fault=misaligned"],
    "stf.spill": ["r3=@16 f2=-1.5 -> m16=-0x4000000000000000 m24=0x2ffff",
                  "r3=@16 f2=#7 -> m16=7 m24=0x1003e", "r3=@8 f2=1.0 -> fault=misaligned"],
    "stf.spill.increment_immediate": ["r3=@16 f2=2.0 imm=-16 m24=-1 -> m16=-0x8000000000000000 "
                                      "m24=0x10000 r3=@0"],
    "stfs.increment_immediate": ["r3=@8 f2=1.5 imm=4 -> m8=0x3fc00000 r3=@12"],
    "stfd.increment_immediate": ["r3=@8 f2=1.5 imm=8 -> m8=0x3ff8000000000000 r3=@16"],
    "stf8.increment_immediate": ["r3=@8 f2=#7 imm=-8 -> m8=7 r3=@0"],
    "stfe.increment_immediate": ["r3=@16 f2=-2.0 imm=16 -> m16=-0x8000000000000000 m24=0xc000 "
                                 "r3=@32"],
    "lfetch": ["r3=0 -> r3=0", "r3=@8 -> r3=@8"],
    "lfetch.increment_immediate": ["r3=@8 imm=64 -> r3=@72"],
    "lfetch.increment_register": ["r3=@8 r2=-8 -> r3=@0"],
    "xchg1": ["r3=@9 r2=0x1ff m8=0x1234 -> r1=0x12 m8=0xff34"],
    "xchg2": ["r3=@8 r2=5 m8=-1 -> r1=65535 m8=-0xfffb"],
    "xchg4": ["r3=@8 r2=5 m8=0x700000009 -> r1=9 m8=0x700000005"],
    "xchg8": ["r3=@8 r2=5 m8=-7 -> r1=-7 m8=5", "r3=@4 r2=5 -> fault=misaligned"],
    "cmpxchg1.acq": [
        "r3=@8 r2=5 ar.ccv=0x34 m8=0x1234 -> r1=0x34 m8=0x1205",
        "r3=@8 r2=5 ar.ccv=0x134 m8=0x1234 -> r1=0x34 m8=0x1234",
    ],
    "cmpxchg1.rel": ["r3=@8 r2=5 ar.ccv=3 m8=0x1234 -> r1=0x34 m8=0x1234"],
    "cmpxchg2.acq": ["r3=@8 r2=5 ar.ccv=0x1234 m8=0x1234 -> r1=0x1234 m8=5"],
    "cmpxchg2.rel": ["r3=@8 r2=5 ar.ccv=0 m8=0x1234 -> r1=0x1234 m8=0x1234"],
    "cmpxchg4.acq": [
        "r3=@8 r2=5 ar.ccv=0xffffffff m8=0xffffffff -> r1=0xffffffff m8=5",
        "r3=@8 r2=5 ar.ccv=-1 m8=0xffffffff -> r1=0xffffffff m8=0xffffffff",
    ],
    "cmpxchg4.rel": ["r3=@8 r2=5 ar.ccv=0 m8=0xffffffff -> r1=0xffffffff m8=0xffffffff"],
    "cmpxchg8.acq": ["r3=@8 r2=5 ar.ccv=-1 m8=-1 -> r1=-1 m8=5"],
    "cmpxchg8.rel": ["r3=@8 r2=5 ar.ccv=1 m8=-1 -> r1=-1 m8=-1"],
    "fetchadd4.acq": ["r3=@8 imm=-1 m8=0x700000000 -> r1=0 m8=0x7ffffffff"],
    "fetchadd4.rel": ["r3=@8 imm=16 m8=1 -> r1=1 m8=17"],
    "fetchadd8.acq": ["r3=@8 imm=-16 m8=1 -> r1=1 m8=-15"],
    "fetchadd8.rel": ["r3=@8 imm=8 m8=-8 -> r1=-8 m8=0"],
    "setf.sig": ["r2=-5 -> f1=#-5"],
    "getf.sig": ["f2=#-5 -> r1=-5", "f2=1.0 -> r1=-0x8000000000000000", "f2=0.0 -> r1=0"],
    "setf.s": ["r2=0x3fc00000 -> f1=1.5"],
    "getf.s": ["f2=-1.5 -> r1=0xbfc00000"],
    "setf.d": ["r2=0x3ff8000000000000 -> f1=1.5"],
    "getf.d": ["f2=-2.0 -> r1=-0x4000000000000000"],
    "setf.exp": ["r2=0xffff -> f1=1.0", "r2=0x2fffe -> f1=-0.5", "r2=0x1003e -> f1=0x1p63"],
    "getf.exp": ["f2=1.0 -> r1=0xffff", "f2=-0.5 -> r1=0x2fffe", "f2=#3 -> r1=0x1003e",
                 "f2=0.0 -> r1=0"],
}  # fmt: skip

_TINY = "0x1p-53"
FLOATING = {
    # 1 + 2**-53 needs 54 bits, 1 + 2**-24 needs 25: what each precision keeps of them.
    "fmpy.s0": [f"f3=1.0 f4={_TINY} -> f1={_TINY}"],
    "fmpy.s1": ["f3=3.0 f4=-2.0 -> f1=-6.0"],
    "fmpy.s.s0": ["f3=-1.0 f4=0.0 -> f1=-0.0", "f3=0x1p127 f4=2.0 -> f1=inf"],
    "fmpy.s.s1": ["f3=0x1p127 f4=2.0 -> f1=0x1p128"],
    "fmpy.d.s0": ["f3=-1.0 f4=0.0 -> f1=-0.0", "f3=1.0 f4=0.0 -> f1=0.0"],
    "fmpy.d.s1": ["f3=0x1p1023 f4=2.0 -> f1=0:103ff:8000000000000000"],
    "fnmpy.s0": ["f3=3.0 f4=2.0 -> f1=-6.0"],
    "fnmpy.s1": ["f3=3.0 f4=-2.0 -> f1=6.0"],
    "fnmpy.s.s0": ["f3=1.0 f4=0.0 -> f1=-0.0", "f3=-1.0 f4=0.0 -> f1=0.0"],
    "fnmpy.s.s1": ["f3=0x1p127 f4=2.0 -> f1=-0x1p128"],
    "fnmpy.d.s0": ["f3=1.0 f4=0.0 -> f1=-0.0", "f3=-1.0 f4=0.0 -> f1=0.0"],
    "fnmpy.d.s1": ["f3=1.5 f4=2.0 -> f1=-3.0"],
    "fma.s0": [f"f3=1.0 f4=1.0 f2={_TINY} -> f1=0:ffff:8000000000000400",
               "f3=#3 f4=2.0 f2=1.0 -> f1=7.0"],
    "fma.s1": [f"f3=1.0 f4=1.0 f2={_TINY} -> f1=0:ffff:8000000000000400"],
    "fma.s.s0": ["f3=1.0 f4=1.0 f2=0x1p-24 -> f1=1.0", "f3=1.5 f4=2.0 f2=0.25 -> f1=3.25",
                 "f3=0x1p127 f4=2.0 f2=0.0 -> f1=inf"],
    "fma.s.s1": ["f3=0x1p127 f4=2.0 f2=0.0 -> f1=0x1p128"],
    "fma.d.s0": [f"f3=1.0 f4=1.0 f2={_TINY} -> f1=1.0", "f3=3.0 f4=5.0 f2=-15.0 -> f1=0.0",
                 "f3=inf f4=0.0 f2=1.0 -> f1=nan", "f3=0x1p1023 f4=2.0 f2=0.0 -> f1=inf",
                 "qp=0 f3=1.0 f4=1.0 f2=1.0 f1=7.0 -> f1=7.0"],
    "fma.d.s1": ["f3=0x1p1023 f4=2.0 f2=0.0 -> f1=0:103ff:8000000000000000",
                 "f3=0x1p-1074 f4=0.5 f2=0.0 -> f1=0:fbcc:8000000000000000"],
    "fms.s0": ["f3=1.5 f4=2.0 f2=1.0 -> f1=2.0"],
    "fms.s1": ["f3=1.5 f4=2.0 f2=4.0 -> f1=-1.0"],
    "fms.s.s0": ["f3=1.5 f4=2.0 f2=1.0 -> f1=2.0"],
    "fms.s.s1": ["f3=1.5 f4=2.0 f2=1.0 -> f1=2.0"],
    "fms.d.s0": ["f3=1.5 f4=2.0 f2=3.0 -> f1=0.0"],
    "fms.d.s1": ["f3=1.5 f4=2.0 f2=1.0 -> f1=2.0"],
    "fnma.s0": ["f3=1.5 f4=2.0 f2=1.0 -> f1=-2.0"],
    "fnma.s1": ["f3=1.5 f4=2.0 f2=4.0 -> f1=1.0"],
    "fnma.s.s0": ["f3=1.5 f4=2.0 f2=1.0 -> f1=-2.0"],
    "fnma.s.s1": ["f3=1.5 f4=2.0 f2=1.0 -> f1=-2.0"],
    "fnma.d.s0": ["f3=1.5 f4=2.0 f2=3.0 -> f1=0.0"],
    "fnma.d.s1": ["f3=1.5 f4=2.0 f2=1.0 -> f1=-2.0"],
    "xma.l": ["f3=#-3 f4=#5 f2=#1 -> f1=#-14", "f3=#0x100000000 f4=#0x100000000 f2=#7 -> f1=#7"],
    "xma.h": ["f3=#-1 f4=#1 f2=#0 -> f1=#-1", "f3=#-1 f4=#1 f2=#1 -> f1=#0",
              "f3=#0x4000000000000000 f4=#4 f2=#0 -> f1=#1"],
    "xma.hu": ["f3=#-1 f4=#-1 f2=#-1 -> f1=#-1", "f3=#-1 f4=#2 f2=#2 -> f1=#2"],
    "fmin.s0": ["f2=1.0 f3=-1.0 -> f1=-1.0", "f2=nan f3=2.0 -> f1=2.0", "f2=-0.0 f3=0.0 -> f1=0.0"],
    "fmax.s0": ["f2=1.0 f3=-1.0 -> f1=1.0", "f2=2.0 f3=nan -> f1=nan"],
    "famin.s0": ["f2=1.0 f3=-2.0 -> f1=1.0", "f2=-1.0 f3=1.0 -> f1=1.0"],
    "famax.s0": ["f2=1.0 f3=-2.0 -> f1=-2.0"],
    "fmerge.s": ["f2=-1.0 f3=5.0 -> f1=-5.0",
                 "f2=0.0 f3=#-7 -> f1=#-7", "f2=0.0 f3=-inf -> f1=inf"],
    "fmerge.ns": ["f2=-1.0 f3=5.0 -> f1=5.0", "f2=0.0 f3=0.0 -> f1=-0.0"],
    "fmerge.se": ["f2=-2.0 f3=1.5 -> f1=-3.0"],
    "fand": ["f2=#12 f3=#10 -> f1=#8"], "fandcm": ["f2=#12 f3=#10 -> f1=#4"],
    "for": ["f2=#12 f3=#10 -> f1=#14"], "fxor": ["f2=#12 f3=#10 -> f1=#6"],
    "fselect": ["f3=#0xff f4=#0x1200 f2=#0xf -> f1=#0x120f"],
    "fcvt.xf": ["f2=#-7 -> f1=-7.0", "f2=#0 -> f1=0.0",
                "f2=#0x7fffffffffffffff -> f1=0:1003d:fffffffffffffffe"],
    "fcvt.fx.s0": ["f2=2.5 -> f1=#2", "f2=3.5 -> f1=#4", "f2=-0.75 -> f1=#-1",
                   "f2=nan -> f1=#-0x8000000000000000"],
    "fcvt.fx.s1": ["f2=-2.5 -> f1=#-2"],
    "fcvt.fx.trunc.s0": ["f2=-2.9 -> f1=#-2", "f2=0x1p63 -> f1=#-0x8000000000000000"],
    "fcvt.fx.trunc.s1": ["f2=2.9 -> f1=#2", "f2=-0x1p63 -> f1=#-0x8000000000000000"],
    "fcvt.fxu.s0": ["f2=2.5 -> f1=#2", "f2=0x1p63 -> f1=#-0x8000000000000000"],
    "fcvt.fxu.s1": ["f2=3.5 -> f1=#4", "f2=-1.0 -> f1=#-0x8000000000000000"],
    "fcvt.fxu.trunc.s0": ["f2=0x1.8p63 -> f1=#-0x4000000000000000"],
    "fcvt.fxu.trunc.s1": ["f2=0.99 -> f1=#0"],
    # Entry 0 of the architecture's table is 0x3fc: the seed of 1/b is 0xff.8p-8.
    "frcpa.s0": ["f2=1.0 f3=0.0 -> f1=inf p2=0", "f2=0.0 f3=0.0 -> f1=nan p2=0",
                 "f2=6.0 f3=inf -> f1=0.0 p2=0", "f2=1.0 f3=1.0 -> f1=0x0.ff8p0 p2=1",
                 "qp=0 f2=1.0 f3=1.0 f1=9.0 p2=1 -> f1=9.0 p2=0"],
    "frcpa.s1": ["f2=-inf f3=2.0 -> f1=-inf p2=0", "f2=1.0 f3=-2.0 -> f1=-0x0.7fcp0 p2=1"],
    # Entry 128, the first of even powers of two, is 0x3fc, entry 0 0x1a5.
    "frsqrta.s0": ["f3=-1.0 -> f1=nan p2=0", "f3=0.0 -> f1=0.0 p2=0", "f3=inf -> f1=inf p2=0",
                   "f3=1.0 -> f1=0x0.ff8p0 p2=1", "qp=0 f3=1.0 f1=9.0 p2=1 -> f1=9.0 p2=0"],
    "frsqrta.s1": ["f3=-0.0 -> f1=-0.0 p2=0", "f3=4.0 -> f1=0x0.7fcp0 p2=1",
                   "f3=2.0 -> f1=0x0.b4ap0 p2=1"],
}  # fmt: skip

# What br.ctop does (br.cexit branches when it does not): ar.lc, ar.ec -> taken, ar.lc, ar.ec, the
# new p16, whether registers rotate.  Then br.wtop: predicate, ar.ec -> taken, ar.ec, rotates.
COUNTED = {
    (0, 0): (0, 0, 0, 0, 0), (0, 1): (0, 0, 0, 0, 1), (0, 2): (1, 0, 1, 0, 1),
    (1, 0): (1, 0, 0, 1, 1), (1, 1): (1, 0, 1, 1, 1), (1, 2): (1, 0, 2, 1, 1),
    (2, 0): (1, 1, 0, 1, 1), (2, 1): (1, 1, 1, 1, 1), (2, 2): (1, 1, 2, 1, 1),
}  # fmt: skip
WAITING = {
    (0, 0): (0, 0, 0), (0, 1): (0, 0, 1), (0, 2): (1, 1, 1),
    (1, 0): (1, 0, 1), (1, 1): (1, 1, 1), (1, 2): (1, 2, 1),
}  # fmt: skip


def _rotation(stage: int, rotates: int) -> str:
    """p17 and p63 were true: where p17 is then, and what p63 was overwritten with."""
    return f"p16={stage} p17=0 p18=1 p63=0" if rotates else f"p16=0 p17=1 p18=0 p63={stage}"


def _counted(name: str) -> Iterator[str]:
    for (lc, ec), (taken, new_lc, new_ec, stage, rotates) in COUNTED.items():
        taken = taken if name == "br.ctop" else 1 - taken
        yield (
            f"ar.lc={lc} ar.ec={ec} p17=1 p63=1 -> taken={taken} ar.lc={new_lc} ar.ec={new_ec} "
            + _rotation(stage, rotates)
        )


def _waiting(name: str) -> Iterator[str]:
    for (predicate, ec), (taken, new_ec, rotates) in WAITING.items():
        taken = taken if name == "br.wtop" else 1 - taken
        guard = "qp=0 " * (1 - predicate)
        yield (
            f"{guard}ar.lc=5 ar.ec={ec} p17=1 p63=1 -> taken={taken} ar.lc=5 ar.ec={new_ec} "
            + _rotation(0, rotates)
        )


CONTROL = {
    "br.cond": ["-> taken=1", "qp=0 -> taken=0"],
    "br.cond.indirect": ["b2=there -> taken=1", "qp=0 b2=there -> taken=0"],
    "br.cloop": ["ar.lc=0 -> taken=0 ar.lc=0", "ar.lc=2 -> taken=1 ar.lc=1",
                 "ar.lc=-1 -> taken=1 ar.lc=-2"],
    "br.call": ["ar.ec=3 -> taken=1 b1=next ar.pfs=0x30000000000060", "qp=0 b1=5 -> taken=0 b1=5"],
    "br.call.indirect": ["b2=there -> taken=1 b1=next ar.pfs=0x60"],
    "br.ret": ["b2=there ar.pfs=0x30000000000000 -> taken=1 ar.ec=3", "qp=0 b2=there -> taken=0"],
    "brp.sptk": ["-> taken=0"],
    # Every combination of ar.lc, ar.ec (and the predicate) in 0, 1, 2: what is branched on, what
    # enters p63, which is p16 after the rotation, and whether p17 turns into p18.
    "br.ctop": list(_counted("br.ctop")), "br.cexit": list(_counted("br.cexit")),
    "br.wtop": list(_waiting("br.wtop")), "br.wexit": list(_waiting("br.wexit")),
    "clrrrb": ["-> p17=0"], "clrrrb.pr": ["-> p17=0"],
}  # fmt: skip

# Compares: (first, second, whether the relation holds), by relation; immediates must fit 8 bits.
RELATIONS = {
    "cmp.eq": [(5, 5, 1), (5, 6, 0), (5, 0x1_0000_0005, 0), (-1, -1, 1)],
    "cmp.ne": [(5, 5, 0), (5, 0x1_0000_0005, 1)],
    "cmp.lt": [(-1, 0, 1), (0, -1, 0), (5, 5, 0)],
    "cmp.ltu": [(-1, 0, 0), (0, -1, 1), (5, 5, 0)],
    "cmp4.eq": [(5, 0x1_0000_0005, 1), (5, 6, 0)],
    "cmp4.ne": [(5, 0x1_0000_0005, 0), (5, 6, 1)],
    "cmp4.lt": [(0, 0x8000_0000, 0), (-1, 0x1_0000_0000, 1), (5, 5, 0)],
    "cmp4.ltu": [(0, 0x8000_0000, 1), (-1, 0x1_0000_0000, 0), (5, 5, 0)],
}
# Relations of zero to a register: (register, whether it holds).
ZERO_RELATIONS = {
    "cmp.gt": [(-1, 1), (0, 0), (1, 0)],
    "cmp.ge": [(-1, 1), (0, 1), (1, 0)],
    "cmp.lt": [(-1, 0), (0, 0), (1, 1), (0x8000_0000, 1)],
    "cmp.le": [(-1, 0), (0, 1), (1, 1)],
    "cmp4.gt": [(0x8000_0000, 1), (0x1_0000_0000, 0)],
    "cmp4.ge": [(0x8000_0000, 1), (0x1_0000_0000, 1), (1, 0)],
    "cmp4.lt": [(0x8000_0000, 0), (0x1_0000_0001, 1)],
    "cmp4.le": [(0x8000_0000, 0), (0x1_0000_0000, 1)],
}
BITS = [(0b100, 2, 1), (0b100, 1, 0), (-1, 63, 1), (0x7FFF_FFFF_FFFF_FFFF, 63, 0)]
FLOAT_RELATIONS = {
    "fcmp.eq": [("1.0", "1.0", 1), ("0.0", "-0.0", 1), ("nan", "nan", 0), ("3.0", "#3", 1)],
    "fcmp.lt": [("1.0", "2.0", 1), ("-1.0", "-2.0", 0), ("nan", "2.0", 0), ("#3", "3.5", 1)],
    "fcmp.le": [("1.0", "1.0", 1), ("2.0", "1.0", 0), ("1.0", "nan", 0), ("#-3", "-inf", 0)],
    "fcmp.unord": [("nan", "1.0", 1), ("1.0", "inf", 0)],
}
CLASSES = [  # value, mask, whether it is in one of the classes
    ("1.0", 0x11, 1), ("-1.0", 0x11, 0), ("-0.0", 0x06, 1), ("0.0", 0x06, 0), ("inf", 0x21, 1),
    ("nan", 0xC0, 1), ("nan", 0x3F, 0), ("0x1p-1074", 0x09, 1), ("#3", 0x19, 1), ("#3", 0x11, 0),
]  # fmt: skip

# What a compare makes of (p1, p2) if the relation fails, holds.
NORMAL = {"": ((0, 1), (1, 0)), ".unc": ((0, 1), (1, 0))}
PARALLEL = {
    ".and": ((1, 1), ((0, 0), (1, 1))),
    ".or": ((0, 0), ((0, 0), (1, 1))),
    ".or.andcm": ((0, 1), ((0, 1), (1, 0))),
}


def _normal(name: str, shape: str, inputs: str, holds: int) -> Iterator[tuple[str, str]]:
    for kind, outcomes in NORMAL.items():
        p1, p2 = outcomes[holds]
        yield f"{name}{kind}{shape}", f"{inputs} p1={p2} p2={p1} -> p1={p1} p2={p2}"
        off = (0, 0) if kind else (1, 1)
        yield (
            f"{name}{kind}{shape}",
            f"qp=0 {inputs} p1=1 p2=1 -> p1={off[0]} p2={off[1]}",
        )


def _parallel(name: str, shape: str, inputs: str, holds: int) -> Iterator[tuple[str, str]]:
    for kind, ((before1, before2), outcomes) in PARALLEL.items():
        p1, p2 = outcomes[holds]
        yield f"{name}{kind}{shape}", f"{inputs} p1={before1} p2={before2} -> p1={p1} p2={p2}"


def _compares() -> Iterator[tuple[str, str]]:
    for name, triples in RELATIONS.items():
        for a, b, holds in triples:
            forms = [("", f"r2={a} r3={b}")]
            if -128 <= a <= 127:
                forms.append((".imm", f"imm={a} r3={b}"))
            for shape, inputs in forms:
                if not name.endswith(".ne"):
                    yield from _normal(name, shape, inputs, holds)
                if name.endswith((".eq", ".ne")):
                    yield from _parallel(name, shape, inputs, holds)
    for name, pairs in ZERO_RELATIONS.items():
        for value, holds in pairs:
            yield from _parallel(name, ".zero", f"r3={value}", holds)
    for value, position, bit in BITS:
        inputs = f"r3={value} position={position}"
        yield from _normal("tbit.z", "", inputs, 1 - bit)
        yield from _parallel("tbit.z", "", inputs, 1 - bit)
        yield from _parallel("tbit.nz", "", inputs, bit)
    for name, triples in FLOAT_RELATIONS.items():
        for a, b, holds in triples:
            yield from _normal(name, "", f"f2={a} f3={b}", holds)
    for value, mask, holds in CLASSES:
        yield from _normal("fclass.m", "", f"f2={value} mask={mask}", holds)


@dataclass(frozen=True)
class Case:
    """One case of a row, as text and taken apart."""

    row: str
    text: str

    @property
    def inputs(self) -> dict[str, str]:
        return _assignments(self.text.partition("->")[0])

    @property
    def expected(self) -> dict[str, str]:
        return _assignments(self.text.partition("->")[2])

    def __str__(self) -> str:
        return f"{self.row}: {self.text}"


def _assignments(text: str) -> dict[str, str]:
    return dict(re.findall(r"([\w.]+)=(.*?)(?=\s+[\w.]+=|\s*$)", text))


def cases() -> list[Case]:
    """All cases, row by row."""
    tables = (SIMPLE, MEMORY, FLOATING, CONTROL)
    written = [(name, text) for table in tables for name, texts in table.items() for text in texts]
    return [Case(name, text) for name, text in (*written, *_compares())]


# The program of a case -----------------------------------------------------------------------


def _register(row: Operation, name: str) -> str:
    return SPECIAL_REGISTERS.get(row.name, {}).get(name) or REGISTERS.get(name, name)


def _bundle(kind: str, text: str) -> str:
    """A bundle with one instruction that does something, and a stop at its end."""
    slot = {"A": 0, "M": 0, "I": 1, "F": 1, "B": 2, "LX": 1}[kind]
    template = _BUNDLES[kind]
    lines = [_NOPS[letter] for letter in template[: 2 if kind == "LX" else 3].upper()
             .replace("L", "I")]  # fmt: skip
    lines[slot] = text
    return "{ ." + template + "\n" + "\n".join(lines) + " ;;\n}\n"


def _set_general(register: str, value: str) -> str:
    """movl, plus an offset into the buffer."""
    if value == "there":
        return _bundle("LX", f"movl {register} = there")
    if not value.startswith("@"):
        return _bundle("LX", f"movl {register} = {value}")
    offset = _bundle("A", f"adds {register} = {int(value[1:], 0)}, {register}")
    return _bundle("LX", f"movl {register} = {CELL}") + offset


def _set_floating(register: str, value: str) -> str:
    if value.startswith("#"):
        return _set_general(SCRATCH, value[1:]) + _bundle("M", f"setf.sig {register} = {SCRATCH}")
    bits = floating.fr_bits64((_double(value), 0, 0))
    return _set_general(SCRATCH, str(bits)) + _bundle("M", f"setf.d {register} = {SCRATCH}")


def _set(row: Operation, name: str, value: str) -> str:
    register = _register(row, name)
    if name[0] == "r" and name[1:].isdigit():
        if register == "r2" and value == "0":
            return ""
        return _set_general(register, value)
    if name[0] == "f" and name[1:].isdigit():
        return _set_floating(register, value)
    if name[0] == "p" and name[1:].isdigit():
        return _bundle("A", f"cmp.eq {register}, p0 = {1 - int(value)}, r0")
    if name[0] == "b" and name[1:].isdigit():
        return _set_general(SCRATCH, value) + _bundle("I", f"mov {register} = {SCRATCH}")
    kind = "M" if name == "ar.ccv" else "I"
    return _set_general(SCRATCH, value) + _bundle(kind, f"mov {name} = {SCRATCH}")


def _is_set_up(name: str) -> bool:
    return bool(re.fullmatch(r"[rfpb]\d+|ar\.\w+", name))


def instruction_text(case: Case) -> str:
    """The instruction under test in assembly."""
    row = operations()["ia64", case.row]
    fields = {}
    for operand in row.operands:
        if isinstance(operand.kind, RegisterKind):
            fields[operand.name] = _register(row, operand.name)
        elif isinstance(operand.kind, Label):
            fields[operand.name] = "there"
        elif operand.name == "hint":
            fields["hint"] = "sptk"
        elif isinstance(operand.kind, Immediate):
            fields[operand.name] = case.inputs[operand.name]
        else:
            fields[operand.name] = CELL
    guard = f"({FALSE}) " if case.inputs.get("qp") == "0" else ""
    return guard + row.syntax.format(**fields)


def program_text(case: Case) -> str:
    """Set-up, the instruction alone in its group, then where it went in `MARKER`."""
    row = operations()["ia64", case.row]
    setup = "".join(
        _set(row, name, value) for name, value in case.inputs.items() if _is_set_up(name)
    )
    after = {"there": TAKEN, "next": FELL_THROUGH}
    leave = _bundle("I", f"mov {EPILOGUE_COUNT} = ar.ec") + _bundle("B", "br.ret.sptk b0")
    ends = {
        label: f"{label}:\n" + _bundle("A", f"mov {MARKER} = {mark}") + leave
        for label, mark in after.items()
    }
    data = f".data\n{CELL}: .skip {CELL_BYTES}\n"
    under_test = "here:\n" + _bundle(row.slot_kind, instruction_text(case))
    return ".text\n" + setup + under_test + ends["next"] + ends["there"] + data


def prepare(case: Case, machine) -> tuple[BundleProgram, Memory]:
    """The program of a case and the memory it runs on."""
    program = PLUGIN.read(program_text(case), str(case), machine)
    memory = Memory(buffer.extent for buffer in program.buffers)
    for name, value in case.inputs.items():
        if re.fullmatch(r"m\d+", name):
            memory.view(CELL, np.int64)[int(name[1:]) // 8] = wrap(int(value, 0))
    return program, memory


def expected_register(case: Case, name: str, program: BundleProgram, memory: Memory):
    """(file letter or application register, number, value) that a case expects."""
    row, value = operations()["ia64", case.row], case.expected[name]
    if name == "ar.ec":
        return "r", int(EPILOGUE_COUNT[1:]), int(value, 0)
    if name.startswith("ar."):
        return name, 0, int(value, 0)
    register = _register(row, name)
    if name[0] == "f":
        return "f", int(register[1:]), _triple(value)
    bundles = {label: bundle for bundle, label in program.labels.items()}
    if value in bundles:
        number = CODE_BASE + BUNDLE_BYTES * bundles[value]
    elif value.startswith("@"):
        number = memory.address(CELL) + int(value[1:], 0)
    else:
        number = int(value, 0)
    return register[0], int(register[1:]), number


def _triple(value: str) -> floating.Register:
    if value.startswith("#"):
        return floating.fr_from_significand(int(value[1:], 0))
    if ":" in value:
        sign, exponent, significand = (int(part, 16) for part in value.split(":"))
        return 0.0, int(np.uint64(significand).astype(np.int64)), 1 | sign << 1 | exponent << 2
    return _double(value), 0, 0


def _double(text: str) -> float:
    return float.fromhex(text) if "0x" in text else float(text)


def check(case: Case, program: BundleProgram, memory: Memory, outcome, read) -> None:
    """Compare an outcome with a case.

    outcome  has `status` and `fault` (with `kind`)
    read     read(file, number) gives a register: 'r', 'f' (a triple), 'p', 'b', or 'ar.…'
    """
    expected = dict(case.expected)
    fault = expected.pop("fault", None)
    assert (outcome.fault.kind if outcome.fault else None) == fault, case
    if fault is None:
        taken = TAKEN if expected.pop("taken", "0") == "1" else FELL_THROUGH
        assert read("r", int(MARKER[1:])) == taken, case
    for name, value in expected.items():
        if re.fullmatch(r"m\d+", name):
            found = int(memory.view(CELL, np.int64)[int(name[1:]) // 8])
            assert found == int(value, 0), (case, name, hex(found))
            continue
        file, number, wanted = expected_register(case, name, program, memory)
        found = read(file, number)
        assert _shown(found) == _shown(wanted), (case, name, _shown(found))


def _shown(value):
    """A value in which NaN equals NaN and zeros of different sign differ."""
    if isinstance(value, tuple):
        return (value[0].hex(), int(value[1]), int(value[2]))
    return int(value)
