"""ia64 rows: integer arithmetic, logic, shifts, bit fields, constants.

Forms and operand ranges as GNU as accepts them; see `ia64_operands` for the conventions.
"""

from __future__ import annotations

from machines.instructions.ia64_operands import (
    GLOBAL_POINTER_VALUE,
    GR,
    Count,
    FromGlobalPointer,
    LowGeneralRegister,
    OneOf,
    immediate,
    read,
    row,
    write,
)
from machines.operations.row import Immediate, Operand, Symbol

R1, R2, R3 = write("r1"), read("r2"), read("r3")
IMM8 = immediate("imm", 8)
SHIFT_COUNT = immediate("count", 6, signed=False)
POSITION = immediate("position", 6, signed=False)
LENGTH = Operand("length", Count(6))
ONE_IN_EACH_BYTE = sum(1 << bit for bit in range(0, 64, 8))
POINTER = "zero_extend({}, 32) | shift_left(shift_right_unsigned(r3, 30) & 3, 61)"
"""What the 32-bit pointer of a sum is as a 64-bit one."""


def _arithmetic():
    """Type A: any M or I slot."""

    def alu(name, operands, meaning, sentence, syntax):
        return row(name, (R1, *operands), f"r1 = {meaning}", sentence, syntax, "alu", "A")

    registers = " {r1} = {r2}, {r3}"
    yield alu("add", (R2, R3), "wrap(r2 + r3)", "Sum.", registers)
    yield alu(
        "add.plus1", (R2, R3), "wrap(r2 + r3 + 1)", "Sum plus one.", "add {r1} = {r2}, {r3}, 1"
    )
    yield alu("sub", (R2, R3), "wrap(r2 - r3)", "Difference.", registers)
    yield alu(
        "sub.minus1",
        (R2, R3),
        "wrap(r2 - r3 - 1)",
        "Difference minus one.",
        "sub {r1} = {r2}, {r3}, 1",
    )
    yield alu(
        "sub.imm",
        (IMM8, R3),
        "wrap(imm - r3)",
        "Immediate minus register.",
        "sub {r1} = {imm}, {r3}",
    )
    yield alu(
        "adds",
        (immediate("imm", 14), R3),
        "wrap(imm + r3)",
        "Sum with a 14-bit immediate; `mov r1 = r3` adds 0.",
        " {r1} = {imm}, {r3}",
    )
    low = Operand("r3", LowGeneralRegister(GR.name, GR.prefix))
    yield alu(
        "addl",
        (immediate("imm", 22), low),
        "wrap(imm + r3)",
        "Sum of a 22-bit immediate and r0 to r3; `mov r1 = imm` adds r0.",
        " {r1} = {imm}, {r3}",
    )
    yield alu(
        "addl.gprel",
        (Operand("symbol", FromGlobalPointer()), low),
        f"wrap(symbol - {GLOBAL_POINTER_VALUE} + r3)",
        "The address of a buffer, from the global pointer.",
        "addl {r1} = @gprel({symbol}), {r3}",
    )
    yield alu(
        "shladd",
        (R2, Operand("count", Count(2)), R3),
        "wrap(shift_left(r2, count) + r3)",
        "Shift left by 1 to 4 and add.",
        " {r1} = {r2}, {count}, {r3}",
    )
    yield alu(
        "addp4",
        (R2, R3),
        POINTER.format("wrap(r2 + r3)"),
        "Sum as a 32-bit pointer: its bits 61 and 62 are bits 30 and 31 of the second operand.",
        registers,
    )
    yield alu(
        "addp4.imm",
        (immediate("imm", 14), R3),
        POINTER.format("wrap(imm + r3)"),
        "Sum with a 14-bit immediate as a 32-bit pointer.",
        "addp4 {r1} = {imm}, {r3}",
    )
    yield alu(
        "shladdp4",
        (R2, Operand("count", Count(2)), R3),
        POINTER.format("wrap(shift_left(r2, count) + r3)"),
        "Shift left by 1 to 4 and add, as a 32-bit pointer.",
        " {r1} = {r2}, {count}, {r3}",
    )
    logic = (
        ("and", "{a} & r3", "Bitwise and."),
        ("or", "{a} | r3", "Bitwise or."),
        ("xor", "{a} ^ r3", "Bitwise exclusive or."),
        ("andcm", "{a} & ~r3", "Bitwise and with the complement of the second operand."),
    )
    for name, meaning, sentence in logic:
        yield alu(name, (R2, R3), meaning.format(a="r2"), sentence, registers)
        yield alu(
            f"{name}.imm",
            (IMM8, R3),
            meaning.format(a="imm"),
            sentence,
            f"{name} {{r1}} = {{imm}}, {{r3}}",
        )


def _shifts_and_fields():
    """Type I: an I slot."""
    shifted, amount = read("r2", use="multimedia"), read("r3", use="multimedia")
    for name, function, sentence in (
        ("shl", "shift_left", "Shift left; a count of 64 or more gives 0."),
        ("shr", "shift_right", "Arithmetic shift right; a count of 64 or more gives the sign."),
        ("shr.u", "shift_right_unsigned", "Logical shift right; 64 or more gives 0."),
    ):
        operands = (R1, shifted, amount)
        if name != "shl":  # GNU order: the shifted register is the field r3, the count r2
            operands = (R1, read("r3", use="multimedia"), read("r2", use="multimedia"))
        first, second = operands[1].name, operands[2].name
        yield row(
            name,
            operands,
            f"r1 = {function}({first}, {second})",
            sentence,
            f" {{r1}} = {{{first}}}, {{{second}}}",
            "shift_variable",
            "I",
        )

    def field(name, operands, meaning, sentence, syntax):
        return row(name, (R1, *operands), f"r1 = {meaning}", sentence, syntax, "bit_field", "I")

    part = " {r1} = {r3}, {position}, {length}"
    yield field(
        "extr",
        (R3, POSITION, LENGTH),
        "sign_extend(shift_right(r3, position), length)",
        "Extract a field, sign-extended; past bit 63 the sign continues.",
        part,
    )
    yield field(
        "extr.u",
        (R3, POSITION, LENGTH),
        "zero_extend(shift_right_unsigned(r3, position), length)",
        "Extract a field, zero-extended.",
        part,
    )
    mask = "shift_left(zero_extend(-1, length), position)"
    yield field(
        "dep.z",
        (R2, POSITION, LENGTH),
        "shift_left(zero_extend(r2, length), position)",
        "Deposit a field into zero; `shl r1 = r2, n` is its case.",
        " {r1} = {r2}, {position}, {length}",
    )
    yield field(
        "dep.z.imm",
        (IMM8, POSITION, LENGTH),
        "shift_left(zero_extend(imm, length), position)",
        "Deposit an immediate into zero.",
        "dep.z {r1} = {imm}, {position}, {length}",
    )
    yield field(
        "dep",
        (R2, R3, POSITION, Operand("length", Count(4))),
        f"(shift_left(r2, position) & {mask}) | (r3 & ~{mask})",
        "Deposit the low bits of the first register into the second.",
        " {r1} = {r2}, {r3}, {position}, {length}",
    )
    yield field(
        "dep.imm",
        (immediate("imm", 1), R3, POSITION, LENGTH),
        f"(imm & {mask}) | (r3 & ~{mask})",
        "Deposit zeros (0) or ones (-1) into a register.",
        "dep {r1} = {imm}, {r3}, {position}, {length}",
    )
    yield field(
        "shrp",
        (R2, R3, SHIFT_COUNT),
        "shift_right_unsigned(r3, count) | shift_left(r2, 64 - count)",
        "The low half of a register pair shifted right.",
        " {r1} = {r2}, {r3}, {count}",
    )
    for size in (1, 2, 4):
        yield row(
            f"sxt{size}",
            (R1, R3),
            f"r1 = sign_extend(r3, {8 * size})",
            f"Sign-extend the low {8 * size} bits.",
            " {r1} = {r3}",
            "extend",
            "I",
        )
        yield row(
            f"zxt{size}",
            (R1, R3),
            f"r1 = zero_extend(r3, {8 * size})",
            f"Zero-extend the low {8 * size} bits.",
            " {r1} = {r3}",
            "extend",
            "I",
        )
    yield row(
        "popcnt",
        (R1, read("r3", use="multimedia")),
        "r1 = population_count(r3)",
        "Number of ones.",
        " {r1} = {r3}",
        "population_count",
        "I",
    )
    swapped = "zero_extend(r2, 8)"
    for shift in range(8, 64, 8):
        byte = f"zero_extend(shift_right_unsigned(r2, {shift}), 8)"
        swapped = f"shift_left({swapped}, 8) | {byte}"
    yield row(
        "mux1.rev",
        (R1, read("r2", use="multimedia")),
        f"r1 = {swapped}",
        "Reverse the order of the eight bytes.",
        "mux1 {r1} = {r2}, @rev",
        "multimedia",
        "I",
    )
    yield row(
        "mux1.brcst",
        (R1, read("r2", use="multimedia")),
        f"r1 = wrap(zero_extend(r2, 8) * {ONE_IN_EACH_BYTE})",
        "The lowest byte in all eight.",
        "mux1 {r1} = {r2}, @brcst",
        "multimedia",
        "I",
    )
    for suffix, extend, sentence in (
        ("", "sign_extend", "signed"),
        (".u", "zero_extend", "unsigned"),
    ):
        products = []
        for place in range(0, 64, 16):
            a, b = (f"{extend}(shift_right({name}, {place}), 16)" for name in ("r2", "r3"))
            part = f"zero_extend(shift_right({a} * {b}, count), 16)"
            products.append(f"shift_left({part}, {place})")
        yield row(
            f"pmpyshr2{suffix}",
            (
                R1,
                read("r2", use="multimedia"),
                read("r3", use="multimedia"),
                Operand("count", OneOf(5, signed=False, values=(0, 7, 15, 16))),
            ),
            f"r1 = {' | '.join(products)}",
            f"Multiply four {sentence} 16-bit parts; 16 bits of each product from `count` on.",
            f"pmpyshr2{suffix} {{r1}} = {{r2}}, {{r3}}, {{count}}",
            "population_count",
            "I",
        )
    for side, places in (("r", (0, 32)), ("l", (16, 48))):
        products = []
        for place in places:
            a, b = (f"sign_extend(shift_right({name}, {place}), 16)" for name in ("r2", "r3"))
            products.append(f"shift_left(zero_extend({a} * {b}, 32), {place & 32})")
        yield row(
            f"pmpy2.{side}",
            (R1, read("r2", use="multimedia"), read("r3", use="multimedia")),
            f"r1 = {' | '.join(products)}",
            f"Multiply two pairs of 16-bit parts, the {'left' if side == 'l' else 'right'} ones of "
            "each 32 bits, signed.",
            " {r1} = {r2}, {r3}",
            "population_count",
            "I",
        )
    chunk = "zero_extend(shift_right_unsigned(r2, 16 * (imm{} & 3)), 16)"
    chunks = [chunk.format("")]
    for position in (1, 2, 3):
        part = chunk.format(f" // {4**position}")
        chunks.append(f"shift_left({part}, {16 * position})")
    yield row(
        "mux2",
        (R1, read("r2", use="multimedia"), immediate("imm", 8, signed=False)),
        f"r1 = {' | '.join(chunks)}",
        "Permute 16-bit parts: two bits of the immediate say which comes to each place.",
        " {r1} = {r2}, {imm}",
        "multimedia",
        "I",
    )
    for side, order in (("l", range(7, -1, -1)), ("r", range(8))):
        found = "8"
        for position, byte in reversed(list(enumerate(order))):
            is_zero = f"zero_extend(shift_right_unsigned(r3, {8 * byte}), 8) == 0"
            found = f"{position} if {is_zero} else {found}"
        yield row(
            f"czx1.{side}",
            (R1, read("r3", use="multimedia")),
            f"r1 = {found}",
            f"Zero bytes: where the first is, from the {'left' if side == 'l' else 'right'}; "
            "8 if there is none.",
            " {r1} = {r3}",
            "multimedia",
            "I",
        )


def _constants():
    """Type L+X: slots 1 and 2 of an MLX bundle."""
    yield row(
        "movl",
        (R1, Operand("imm", Immediate(64))),
        "r1 = imm",
        "A 64-bit constant.",
        " {r1} = {imm}",
        "long_immediate",
        "LX",
    )
    yield row(
        "movl.symbol",
        (R1, Operand("symbol", Symbol())),
        "r1 = symbol",
        "The address of a buffer.",
        "movl {r1} = {symbol}",
        "long_immediate",
        "LX",
    )


ROWS = (*_arithmetic(), *_shifts_and_fields(), *_constants())
