"""ia64 rows: branches, moves to and from branch, predicate and application registers, nops, breaks.

Frames and rotation are told in `machines/instructions/ia64_frame.py`.
"""

from __future__ import annotations

from machines.instructions.ia64_absent import ABSENT_FUNCTION, UNDEFINED_FUNCTION
from machines.instructions.ia64_frame import (
    EPILOGUE_SHIFT,
    FRAME_BITS,
    LOCALS_SHIFT,
    NUMBER_MASK,
    PREDICATE_SHIFT,
    REGION_MASK,
    REGION_SHIFT,
    REGION_UNIT,
    ROTATED_SHIFT,
    SIZES,
)
from machines.instructions.ia64_operands import (
    BR,
    HINT,
    TARGET,
    Scaled,
    immediate,
    read,
    row,
    write,
)
from machines.operations.row import Immediate, Label, Operand

FPSR = 0x0009_804C_0270_033F
"""The only value of ar.fpsr that is modelled, Linux's: no traps, to nearest, s1 wide."""

FIRST_ROTATING_PREDICATE = 16
"""`mov pr.rot` sets this predicate and all after it, those that do not rotate included."""

EXIT_ADDRESS = -1
"""What b0 holds at the start: returning there ends the program."""

LOCALS = f"(shift_right_unsigned(cfm, {LOCALS_SHIFT}) & {NUMBER_MASK})"
REGION = f"(shift_right_unsigned(cfm, {REGION_SHIFT}) & {REGION_MASK}) * {REGION_UNIT}"
ROTATED = f"shift_right_unsigned(cfm, {ROTATED_SHIFT})"
"""Parts of the frame marker, in meanings."""


BREAK_NAMES = {1: "division by zero", ABSENT_FUNCTION: UNDEFINED_FUNCTION}
"""Breaks with a meaning; 1 is the number that compilers use."""


def break_fault(number: int) -> str:
    """The fault kind of `break number`."""
    return BREAK_NAMES.get(number, f"break {number}")


def _branches():
    through = read("b2", BR, "branch")
    text = ".{hint} {target}"
    yield row(
        "br.cond",
        (HINT, TARGET),
        "taken = 1",
        "Branch; a condition is its qualifying predicate.",
        "br.cond" + text,
        "branch",
        "B",
        control="branch",
    )
    yield row(
        "br.cond.indirect",
        (HINT, through),
        "taken = 1\ntarget = b2",
        "Branch to the address in a branch register.",
        "br.cond.{hint} {b2}",
        "branch",
        "B",
        control="branch",
    )
    yield row(
        "br.cloop",
        (HINT, TARGET),
        "taken = 1 if ar_lc != 0 else 0\nar_lc = wrap(ar_lc - taken)",
        "Branch while the loop counter is not zero, counting down.",
        "br.cloop" + text,
        "loop_branch",
        "B",
        control="branch",
        implicit_reads=("ar.lc",),
        implicit_writes=("ar.lc",),
        flags=frozenset({"last_slot", "unpredicated"}),
    )
    yield from _calls(through)
    yield from _rotating_branches(text)
    yield row(
        "brp.sptk",
        (TARGET, Operand("tag", Label())),
        "",
        "Announce the target of the branch in bundle `tag`; has no effect on results.",
        " {target}, {tag}",
        "branch_hint",
        "B",
        flags=frozenset({"unpredicated"}),
    )


def _calls(through):
    saved = {
        "implicit_reads": ("ar.ec", "cfm"),
        "implicit_writes": ("ar.pfs", "cfm"),
    }
    save = (
        f"\nar_pfs = cfm | shift_left(ar_ec, {EPILOGUE_SHIFT})"
        f"\ncfm = (cfm & {NUMBER_MASK}) - {LOCALS}"
    )
    yield row(
        "br.call",
        (write("b1", BR), HINT, TARGET),
        "taken = 1\nb1 = link" + save,
        "Call; the branch register receives the return address, the outputs become r32 and so on.",
        "br.call.{hint} {b1} = {target}",
        "call",
        "B",
        control="call",
        **saved,
    )
    yield row(
        "br.call.indirect",
        (write("b1", BR), HINT, through),
        "taken = 1\ntarget = b2\nb1 = link" + save,
        "Call the address in a branch register.",
        "br.call.{hint} {b1} = {b2}",
        "call",
        "B",
        control="call",
        **saved,
    )
    yield row(
        "br.ret",
        (HINT, through),
        f"taken = 1\ntarget = b2\nar_ec = shift_right_unsigned(ar_pfs, {EPILOGUE_SHIFT}) & 63\n"
        f"cfm = ar_pfs & {(1 << FRAME_BITS) - 1}",
        "Return to the address in a branch register, to the frame that ar.pfs says.",
        "br.ret.{hint} {b2}",
        "return",
        "B",
        control="return",
        implicit_reads=("ar.pfs",),
        implicit_writes=("ar.ec", "cfm"),
    )


def _rotating_branches(text):
    """Branches of software-pipelined loops: (condition to go on, whether the last turn rotates)."""
    counted = {"implicit_reads": ("ar.lc", "ar.ec"), "implicit_writes": ("ar.lc", "ar.ec")}
    waiting = {"implicit_reads": ("qp", "ar.ec"), "implicit_writes": ("ar.ec",)}
    count = (
        "taken = {}\n"
        "rotate = 1 if ar_lc != 0 or ar_ec != 0 else 0\n"
        "stage = 1 if ar_lc != 0 else 0\n"
        "ar_ec = ar_ec - 1 if ar_lc == 0 and ar_ec != 0 else ar_ec\n"
        "ar_lc = wrap(ar_lc - stage)"
    )
    wait = (
        "taken = {}\n"
        "rotate = 1 if qp != 0 or ar_ec != 0 else 0\n"
        "stage = 0\n"
        "ar_ec = ar_ec - 1 if qp == 0 and ar_ec != 0 else ar_ec"
    )
    on, out = "1 if {} or ar_ec > 1 else 0", "0 if {} or ar_ec > 1 else 1"
    for name, taken, meaning, resources, sentence in (
        ("br.ctop", on, count, counted,
         "Rotate; branch while iterations (ar.lc) or stages to drain (ar.ec) are left."),
        ("br.cexit", out, count, counted,
         "Rotate; branch when neither iterations (ar.lc) nor stages to drain (ar.ec) are left."),
        ("br.wtop", on, wait, waiting,
         "Rotate; branch while its predicate is true or stages to drain (ar.ec) are left."),
        ("br.wexit", out, wait, waiting,
         "Rotate; branch when its predicate is false and no stages to drain (ar.ec) are left."),
    ):  # fmt: skip
        is_counted = resources is counted
        condition = taken.format("ar_lc != 0" if is_counted else "qp != 0")
        yield row(
            name,
            (HINT, TARGET),
            meaning.format(condition),
            sentence,
            name + text,
            "loop_branch",
            "B",
            control="branch",
            flags=frozenset({"last_slot", "rotates"} | ({"unpredicated"} if is_counted else set())),
            **resources,
        )
    for name, kept, sentence in (
        ("clrrrb", SIZES, "No register is rotated any more."),
        ("clrrrb.pr", (1 << PREDICATE_SHIFT) - 1, "No predicate is rotated any more."),
    ):
        yield row(
            name,
            (),
            f"cfm = cfm & {kept}",
            sentence,
            name,
            "loop_branch",
            "B",
            implicit_reads=("cfm",),
            implicit_writes=("cfm",),
            flags=frozenset({"last_slot", "unpredicated", "last_in_group"}),
        )


def _moves():
    yield row(
        "mov.to_branch",
        (write("b1", BR), read("r2")),
        "b1 = r2",
        "Set a branch register.",
        "mov {b1} = {r2}",
        "move_to_branch",
        "I",
    )
    yield row(
        "mov.from_branch",
        (write("r1"), read("b2", BR)),
        "r1 = b2",
        "Read a branch register.",
        "mov {r1} = {b2}",
        "move_from_branch",
        "I",
    )
    yield row(
        "mov.from_ip",
        (write("r1"),),
        "r1 = ip",
        "Address of this bundle.",
        "mov {r1} = ip",
        "move_from_branch",
        "I",
        implicit_reads=("ip",),
    )
    yield row(
        "mov.from_pr",
        (write("r1"),),
        "r1 = pr",
        "All predicates, p0 in bit 0, as if none had rotated.",
        "mov {r1} = pr",
        "move_from_predicates",
        "I",
        implicit_reads=("pr",),
    )
    yield row(
        "mov.to_pr",
        (read("r2"), Operand("mask", Scaled(17, multiple=2))),
        "pr = (pr & ~mask) | (r2 & mask)",
        "Set the predicates that the mask selects, as if none had rotated; its bit 16 stands for "
        "p16 to p63.",
        "mov pr = {r2}, {mask}",
        "move_to_predicates",
        "I",
        implicit_reads=("pr",),
        implicit_writes=("pr",),
    )
    yield row(
        "mov.to_pr_rot",
        (Operand("imm", Scaled(44, multiple=1 << FIRST_ROTATING_PREDICATE)),),
        f"pr = (pr & {(1 << FIRST_ROTATING_PREDICATE) - 1}) | imm",
        "Set p16 to p63 from an immediate, as if none had rotated.",
        "mov pr.rot = {imm}",
        "move_to_predicates",
        "I",
        implicit_reads=("pr",),
        implicit_writes=("pr",),
    )
    for name, unit, meaning in (
        ("lc", "i", "{}"),
        ("ec", "i", "{} & 63"),
        ("pfs", "i", "{}"),
        ("ccv", "m", "{}"),
    ):
        slot, register = unit.upper(), f"ar.{name}"
        for suffix, operand in (("", read("r2")), (".imm", immediate("imm", 8))):
            yield row(
                f"mov.to_{register}{suffix}",
                (operand,),
                f"ar_{name} = {meaning.format(operand.name)}",
                f"Set {register}.",
                f"mov {register} = {{{operand.name}}}",
                f"move_to_ar_{unit}",
                slot,
                implicit_writes=(register,),
            )
        yield row(
            f"mov.from_{register}",
            (write("r1"),),
            f"r1 = ar_{name}",
            f"Read {register}.",
            f"mov {{r1}} = {register}",
            f"move_from_ar_{unit}",
            slot,
            implicit_reads=(register,),
        )
    yield row(
        "mov.to_ar.fpsr",
        (read("r2"),),
        "ar_fpsr = r2",
        f"Set ar.fpsr, which must be {FPSR:#x}.",
        "mov ar.fpsr = {r2}",
        "move_to_ar_m",
        "M",
        implicit_writes=("ar.fpsr",),
        faults_if=f"r2 != {FPSR}",
        fault="unmodelled ar.fpsr",
    )
    yield row(
        "mov.from_ar.fpsr",
        (write("r1"),),
        "r1 = ar_fpsr",
        "Read ar.fpsr; no operation sets flags in it.",
        "mov {r1} = ar.fpsr",
        "move_from_ar_m",
        "M",
        implicit_reads=("ar.fpsr",),
    )
    yield from _controls()
    frame = [immediate(name, 7, signed=False) for name in ("inputs", "locals", "outputs")]
    yield row(
        "alloc",
        (write("r1"), *frame, Operand("rotating", Scaled(7, False, 8))),
        "r1 = ar_pfs\n"
        "cfm = (inputs + locals + outputs)"
        f" | shift_left(inputs + locals, {LOCALS_SHIFT})"
        f" | shift_left(rotating, {REGION_SHIFT - 3})"
        f" | (cfm & {~SIZES})",
        "Set the register frame and read ar.pfs.",
        "alloc {r1} = ar.pfs, {inputs}, {locals}, {outputs}, {rotating}",
        "allocate",
        "M",
        implicit_reads=("ar.pfs", "cfm"),
        implicit_writes=("cfm",),
        faults_if=f"{REGION} != rotating and {ROTATED} != 0",
        fault="rotating region changed while rotated",
        flags=frozenset({"unpredicated", "first_in_group"}),
    )


def _controls():
    """`fsetc`: seven control bits of a status field, from those of field 0 and two masks."""
    first, width, flags = 6, 13, 7
    controls = [FPSR >> (first + width * field) & ((1 << flags) - 1) for field in range(4)]
    for field, modelled in enumerate(controls):
        yield row(
            f"fsetc.s{field}",
            (immediate("and_mask", 7, signed=False), immediate("or_mask", 7, signed=False)),
            "",
            f"Set the controls of status field {field}, which must become what they are, "
            f"{modelled:#x}.",
            " {and_mask}, {or_mask}",
            "fp_misc",
            "F",
            faults_if=f"({controls[0]} & and_mask) | or_mask != {modelled}",
            fault="unmodelled ar.fpsr",
        )


def _nops_and_breaks():
    for unit in "mifb":
        slot = unit.upper()
        number = immediate("imm", 21, signed=False)
        yield row(
            f"nop.{unit}",
            (number,),
            "",
            "Nothing.",
            " {imm}",
            f"nop_{unit}",
            slot,
            flags=frozenset({"nop"}),
        )
        yield row(
            f"break.{unit}",
            (number,),
            "",
            "Fault; 1 means division by zero.",
            " {imm}",
            f"break_{unit}",
            slot,
            faults_if="True",
            fault="break",
            flags=frozenset({"break"}),
        )
    yield row(
        "nop.x",
        (Operand("imm", Immediate(62, signed=False)),),
        "",
        "Nothing, long.",
        " {imm}",
        "nop_x",
        "LX",
        flags=frozenset({"nop"}),
    )


ROWS = (*_branches(), *_moves(), *_nops_and_breaks())
