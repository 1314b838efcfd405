"""Which pipe takes an instruction, and what it is for: of SASS, and of our rows.

The purpose makes two codes comparable where their instructions differ: a sum is one whether IADD3,
LEA or IMAD.IADD does it, and a move is one on whichever pipe.  The pipe of an operation of SASS is
that of sm_80 to sm_90, by the tables of throughput of the CUDA programming guide and by what Nsight
Compute counts for each pipe.
"""

from __future__ import annotations

from machines.kinds.simt.fields import Simt
from machines.operations.row import Operation
from tests.benchmarks.sass.instruction import Instruction

PIPES = ("alu", "fma", "fp64", "half", "sfu", "lg", "mio", "uniform", "tensor", "control")
PURPOSES = (
    "load",
    "store",
    "atomic",
    "parameter",
    "special register",
    "f32",
    "f64",
    "half",
    "function",
    "sum",
    "product",
    "logic",
    "shift",
    "permute",
    "choice",
    "move",
    "compare",
    "conversion",
    "bit count",
    "sequence",
    "branch",
    "convergence",
    "barrier",
    "warp",
    "matrix",
    "other",
)

_PURPOSE_OF_SASS = {
    "load": "LDG LD LDS LDL LDGSTS LDSM UBLKCP",
    "store": "STG ST STS STL STSM",
    "atomic": "ATOMG ATOM ATOMS RED REDG",
    "parameter": "LDC ULDC LDCU",
    "special register": "S2R S2UR",
    "f32": "FADD FMUL FFMA FMNMX FSWZADD FCHK FADD2 FMUL2 FFMA2 FMNMX3",
    "f64": "DADD DMUL DFMA DMNMX",
    "half": "HADD2 HMUL2 HFMA2 HMNMX2",
    "function": "MUFU",
    "sum": "IADD IADD3 LEA UIADD3 ULEA VIADD VIADDMNMX IABS UIABS ISAD VABSDIFF VABSDIFF4 IADD64",
    "product": "IMAD UIMAD IMUL IDP XMAD",
    "logic": "LOP3 LOP ULOP3 LOP32I",
    "shift": "SHF SHL SHR USHF USHL USHR BMSK UBMSK SGXT USGXT",
    "permute": "PRMT UPRMT",
    "choice": "SEL FSEL USEL IMNMX VIMNMX UIMNMX VIMNMX3 UVIMNMX",
    "move": "MOV UMOV MOV32I CS2R R2UR P2R R2P UP2UR UR2UP",
    "compare": "ISETP FSETP DSETP HSETP2 UISETP FSET HSET2 ISET PLOP3 UPLOP3 PSETP FCMP",
    "conversion": "F2F F2FP F2I I2F I2FP F2IP FRND I2I I2IP",
    "bit count": "POPC FLO BREV UPOPC UFLO UBREV",
    "branch": "BRA BRX JMP JMX CALL RET EXIT BPT KILL RPCMOV",
    "convergence": "BSSY BSYNC BREAK BMOV YIELD WARPSYNC BRECONVERGENT",
    "barrier": "BAR MEMBAR ERRBAR DEPBAR LDGDEPBAR CCTL ARRIVES SYNCS FENCE UCGABAR_ARV"
    " UCGABAR_WAIT NANOSLEEP CCTLL ACQBULK UTMACMDFLUSH B2R",
    "warp": "SHFL VOTE VOTEU MATCH REDUX CREDUX ELECT",
    "matrix": "HMMA IMMA DMMA BMMA QMMA HGMMA IGMMA QGMMA BGMMA WARPGROUP MOVM",
}
_BY_OPERATION = {
    operation: purpose for purpose, names in _PURPOSE_OF_SASS.items() for operation in names.split()
}
_PIPE_OF_PURPOSE = {
    "load": "lg",
    "store": "lg",
    "atomic": "lg",
    "parameter": "mio",
    "special register": "mio",
    "f32": "fma",
    "f64": "fp64",
    "half": "half",
    "function": "sfu",
    "product": "fma",
    "conversion": "sfu",
    "bit count": "sfu",
    "branch": "control",
    "convergence": "control",
    "barrier": "control",
    "warp": "mio",
    "matrix": "tensor",
}
_PIPE_OF_OPERATION = {
    **dict.fromkeys(["LDS", "STS", "ATOMS", "LDSM", "STSM"], "mio"),
    **dict.fromkeys(
        ["FMNMX", "FMNMX3", "FCHK", "FSWZADD", "F2FP", "I2FP", "I2IP", "VOTE", "FSETP"], "alu"
    ),
    "IMUL": "fma",
    "DSETP": "fp64",
    **dict.fromkeys(["HSETP2", "HSET2"], "half"),
}


def purpose_of_sass(instruction: Instruction) -> str:
    """One of PURPOSES."""
    operation, modifiers = instruction.operation, instruction.modifiers
    if operation == "IMAD" and modifiers:
        by_form = {"MOV": "move", "IADD": "sum", "SHL": "shift"}
        if modifiers[0] in by_form:
            return by_form[modifiers[0]]
    if operation == "CS2R" and instruction.operands[-1].startswith("SR_"):
        return "special register"
    if operation in ("HFMA2", "UMOV") and instruction.operands[1:3] == ("-RZ", "RZ"):
        return "move"  # of a constant, through the half-precision pipe
    if operation in ("LDC", "ULDC", "LDCU") and not instruction.operands[-1].startswith(
        ("c[0x0]", "cx[UR", "c[0x4]")
    ):
        return "load"
    return _BY_OPERATION.get(operation, "other")


def pipe_of_sass(instruction: Instruction) -> str:
    """One of PIPES."""
    operation = instruction.operation
    if operation in _PIPE_OF_OPERATION:
        return _PIPE_OF_OPERATION[operation]
    if operation.startswith("U") or operation in ("VOTEU", "R2UR"):
        return "uniform"
    if operation in ("IMAD", "HFMA2"):
        return "fma" if operation == "IMAD" else "half"
    return _PIPE_OF_PURPOSE.get(_BY_OPERATION.get(operation, "other"), "alu")


_PURPOSE_OF_CLASS = {
    "load_param": "parameter",
    "special_register": "special register",
    "fma": "f32",
    "fma64": "f64",
    "half": "half",
    "special": "function",
    "special_pair": "function",
    "integer_sum": "sum",
    "integer_multiply": "product",
    "integer_multiply_wide": "product",
    "integer_multiply64": "product",
    "bit_count": "bit count",
    "bit_field": "shift",
    "convert": "conversion",
    "half_convert": "conversion",
    "integer_to_float": "conversion",
    "convert64": "conversion",
    "branch": "branch",
    "exit": "branch",
    "convergence": "convergence",
    "barrier": "barrier",
    "warp_barrier": "convergence",
    "fence": "barrier",
    "fence_block": "barrier",
    "fence_proxy": "barrier",
    "sleep": "barrier",
    "shuffle": "warp",
    "vote": "warp",
    "move": "move",
    "mbarrier": "barrier",
    "copy_group": "barrier",
    "copy_async": "load",
    "copy_bulk": "load",
}
_PURPOSE_OF_START = {
    "logic": ("and", "or", "xor", "not", "lop3", "cnot"),
    "shift": ("shl", "shr", "shf", "bmsk", "szext", "bfe", "bfi"),
    "permute": ("prmt",),
    "choice": ("selp", "min", "max", "slct"),
    "sum": (
        "add",
        "add3",
        "lea",
        "sub",
        "abs",
        "neg",
        "sad",
        "addc",
        "subc",
        "vabsdiff2",
        "vabsdiff4",
    ),
    "conversion": ("cvt", "mov"),
    "product": ("mul", "mad"),
    "f32": ("copysign", "fchk", "check"),
    "function": ("sin", "cos"),
    "convergence": ("bssy", "bsync", "break", "marker"),
}
_BY_START = {start: purpose for purpose, starts in _PURPOSE_OF_START.items() for start in starts}


def purpose_of_row(row: Operation) -> str:
    """One of PURPOSES."""
    kind = row.scheduling_class or ""
    if kind.startswith(("divide", "reciprocal", "sqrt")):
        return "sequence"
    if kind.endswith("compare"):
        return (
            "logic" if row.name.startswith("lop3") and not row.name.endswith("pred") else "compare"
        )
    for start in ("load_matrix", "store_matrix", "move_matrix", "tensor", "fence_group"):
        if kind.startswith(start):
            return {"load_matrix": "load", "store_matrix": "store"}.get(start, "matrix")
    for start in ("load_", "store_", "atomic_"):
        if kind.startswith(start) and kind != "load_param":
            return start[:-1]
    start = row.name.split(".")[0]
    if kind == "move":
        return "choice" if start == "selp" else "move"
    return _PURPOSE_OF_CLASS.get(kind) or _BY_START.get(start, "other")


def pipe_of_row(row: Operation, machine: Simt) -> str:
    """That the machine gives its class; one of PIPES."""
    return machine.classes[row.scheduling_class].pipe
