"""The text form of code: `parse` reads it, `print_module` writes it.  See compiler/README.md."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import get_type_hints

import numpy as np

from compiler.ir.attribute_text import AttributeReader, hint_text, is_a, print_value
from compiler.ir.cursor import Skip
from compiler.ir.lexer import Token, number_of
from compiler.ir.memory_spaces import FLAT
from compiler.ir.module import (
    IR_FORMS,
    SPACES,
    Block,
    Buffer,
    Function,
    Guard,
    Instruction,
    Module,
    Value,
    argument_types,
)
from compiler.ir.operand_text import FORM, OperandReader
from compiler.ir.printer import (
    BLOCK_FACTS,
    FUNCTION_FACTS,
    print_function,
    print_instruction,
    print_module,
)
from compiler.ir.verify import findings_of
from machines.diagnostics import InputError, Location, nearest
from machines.instructions import operations
from machines.operations.row import Lane, Operand, OperandKind, Operation, RegisterKind
from machines.tensors.elements import array_of, numbers_of, stored_type
from machines.types import I1, I64, PTR, TYPES, Type

__all__ = ["parse", "print_function", "print_instruction", "print_module"]


def parse(text: str, file: str = "<text>", records: Iterable[type] = ()) -> Module:
    """The module that `text` describes.  IR is verified; what machine code may be, its target knows
    (see `compiler.targets.Target.verify`).

    records  the dataclasses that attributes may hold (see `compiler.targets.Target.records`)
    Raises InputError with every finding of reader and verifier, in source order.
    """
    parser = _Parser(text, file, records)
    module = parser.module_()
    findings = parser.findings
    if parser.is_ir:
        findings += findings_of(module, untyped=parser.untyped)
    if findings:
        raise InputError(findings)
    return module


class _Parser(OperandReader):
    """Recursive descent; a line that cannot be read is reported and skipped."""

    def __init__(self, text: str, file: str, records: Iterable[type]):
        super().__init__(text, file)
        self.module = Module(source=text)
        self.attribute = AttributeReader(self, {record.__name__: record for record in records})
        self.untyped: set[str] = set()  # results of lines that could not be read
        self.calls: list[tuple[Instruction, dict[int, Token]]] = []  # and their literal arguments
        self.described: list[Token] = []  # functions whose addresses buffers hold

    # Module level

    def module_(self) -> Module:
        while self.accept("newline"):
            pass
        if self.next.text == "form" and self.ahead == "name":
            already = len(self.findings)
            self.line(self.form)
            if len(self.findings) > already:
                return self.module  # nobody knows what the rest is
        while self.next.kind != "end":
            if self.accept("newline"):
                continue
            if self.next.kind == "name" and self.next.text == "func":
                self.function()
            elif self.next.kind == "name":
                self.line(self.buffer)
            else:
                self.line(self.neither)
        for instruction, literals in self.calls:
            self.type_arguments(instruction, literals)
        for token in self.described:
            if token.text not in self.module.functions:
                hint = nearest(token.text, self.module.functions)
                self.report(f"there is no function '@{token.text}'", token.location, hint)
        return self.module

    def form(self) -> None:
        """`form virtual of ia64`."""
        self.take()
        said = self.take()
        form, self.module.location = said.text, said.location
        if not self.accept_word("of"):
            self.fail(f"expected 'of', found {self.next}", self.next.location, FORM)
        family, known = self.expect("name", "a family of operations", FORM), operations().families
        if family.text not in known:
            hint = nearest(family.text, known)
            self.fail(f"no operation is of family '{family.text}'", family.location, hint)
        if form in IR_FORMS and family.text != "ir":
            self.fail(f"form '{form}' is of IR", family.location, f"write 'form {form} of ir'")
        self.module.family = family.text
        self.module.form = IR_FORMS[0] if form in IR_FORMS else form
        self.is_ir = form in IR_FORMS

    def neither(self) -> None:
        self.fail(
            f"expected a function or a buffer, found {self.next}",
            self.next.location,
            "write 'func @name(a: i32) -> i32 {' or 'table: i32[16] in global'",
        )

    def type_(self) -> Type:
        token = self.expect("name", "a type")
        if token.text not in TYPES:
            self.fail(f"unknown type '{token.text}'", token.location, nearest(token.text, TYPES))
        return TYPES[token.text]

    def buffer(self) -> None:
        name = self.new_name("a buffer's name")
        self.expect(":")
        dtype = self.type_()
        if dtype is I1:
            self.fail("a buffer cannot hold i1", name.location, "use i8")
        self.expect("[")
        size = self.expect("number", "the number of elements")
        count = int(self.literal(size, TYPES["i64"]))
        self.expect("]")
        if not self.accept_word("in"):
            self.fail(f"expected 'in SPACE', found {self.next}", self.next.location)
        space = self.space()
        data = described = None
        if self.accept("="):
            if self.accept("@"):
                described = self.expect("name", "a function's name")
                if dtype is not I64 or count < 1 or space not in FLAT:
                    hint = f"write '{name.text}: i64[2] in constant = @{described.text}'"
                    self.report("a function is described by i64 in memory", name.location, hint)
            elif not self.accept_word("zeros"):
                data = self.initial_values(dtype, count)
        if count <= 0:
            self.report("a buffer has at least one element", size.location)
        if name.text in self.module.buffers:
            first = self.module.buffers[name.text].location
            self.fail(f"buffer '{name.text}' is declared twice", name.location, f"first at {first}")
        function = described and described.text
        declared = Buffer(name.text, dtype, count, space, data, name.location, function)
        if described is not None:
            self.described.append(described)
        self.module.buffers[name.text] = declared

    def space(self) -> str:
        token = self.expect("name", "a memory space")
        if token.text not in SPACES:
            hint = nearest(token.text, SPACES)
            self.fail(f"there is no memory space '{token.text}'", token.location, hint)
        return token.text

    def initial_values(self, dtype: Type, count: int) -> bytes:
        start = self.expect("[", "'zeros' or '['")
        values, payloads = [], {}
        while self.next.kind != "]":
            if dtype.is_float and self.next.text == "nan" and self.ahead == "(":
                payloads[len(values)] = self.bits_of_nan(dtype)
                values.append(math.nan)
            else:
                values.append(self.literal(self.expect("number", "a number"), dtype))
            if not self.accept(","):
                break
        self.expect("]")
        if len(values) != count:
            message = f"{len(values)} initial values for {count} elements"
            self.report(message, start.location, "give one value per element, or 'zeros'")
        data = array_of(values, dtype)
        for index, bits in payloads.items():
            data.view(f"<u{dtype.bytes}")[index] = bits
        return data.tobytes()

    def bits_of_nan(self, dtype: Type) -> int:
        """`nan(0x7ff8000000000001)`: a NaN by its bits."""
        self.take()
        self.expect("(")
        token = self.expect("number", "the bits of a NaN")
        self.expect(")")
        number = number_of(token)
        bits = number if isinstance(number, int) and 0 < number < 1 << dtype.bits else 0
        element = np.array([bits], f"<u{dtype.bytes}").view(stored_type(dtype))
        if not math.isnan(*numbers_of(element, dtype)):
            message = f"{token} are not the bits of a NaN of type {dtype}"
            self.fail(message, token.location, f"as in nan({(1 << dtype.bits) - 1:#x})")
        return bits

    # Functions

    def function(self) -> None:
        function = Function("", buffers=self.module.buffers, functions=self.module.functions)
        self.line(lambda: self.function_head(function))
        while self.next.kind not in ("}", "end"):
            if self.next.kind == "name" and self.next.text == "func":
                break
            if not self.accept("newline"):
                self.line(lambda: self.function_line(function))
        if not self.accept("}"):
            location = function.location or self.next.location
            self.report(f"function '{function.name}' is not closed", location, "end it with '}'")
        code = [instruction for _, instruction in function.instructions()]
        for i in code:
            _declare(i.operation.writes, i.results, function.types)
        for i in code if not self.is_ir else ():
            _declare(i.operation.reads, i.operands, function.types)
            if i.guard and i.guard.name.startswith("%"):
                function.types.setdefault(i.guard.name, I1)

    def function_head(self, function: Function) -> None:
        self.take()
        self.expect("@", "'@' and the function's name")
        name = self.new_name("the function's name")
        function.name, function.location = name.text, name.location
        if name.text in self.module.functions:
            first = self.module.functions[name.text].location
            self.report(
                f"function '{name.text}' is defined twice", name.location, f"first at {first}"
            )
        else:
            self.module.functions[name.text] = function
        self.expect("(")
        while self.next.kind != ")":
            noalias = self.noalias()
            parameter = self.new_name("a parameter's name")
            self.expect(":", "':' and the parameter's type")
            type = self.type_()
            if noalias and type is PTR:
                function.noalias |= {parameter.text}
            elif noalias:
                message = f"'{parameter.text}' is {type}, and only a ptr can be noalias"
                self.report(message, noalias.location, "leave 'noalias' out")
            if parameter.text in function.types:
                self.report(f"parameter '{parameter.text}' is named twice", parameter.location)
            else:
                function.parameters.append((parameter.text, type))
                function.types[parameter.text] = type
                function.locations[parameter.text] = parameter.location
            if not self.accept(","):
                break
        self.expect(")")
        if self.accept("->"):
            function.result = self.type_()
        self.expect("{")

    def noalias(self) -> Token | None:
        """The word 'noalias' before a parameter, which may have that name itself."""
        is_word = self.ahead == "name"
        return self.accept_word("noalias") if is_word else None

    def function_line(self, function: Function) -> None:
        following = self.ahead
        if self.next.kind == "name" and following == ":":
            name = self.new_name("a block's name")
            self.take()
            if name.text in function.blocks:
                first = function.blocks[name.text].location
                self.report(
                    f"block '{name.text}' appears twice", name.location, f"first at {first}"
                )
            else:
                function.blocks[name.text] = Block(name.text, location=name.location)
            if self.next.kind == "{":
                self.block_facts(function.blocks[name.text])
            return
        if self.next.text in FUNCTION_FACTS and following == "=" and not function.blocks:
            self.function_fact(function)
            return
        start = self.next
        instruction = self.instruction(function)
        if not function.blocks:
            self.fail("an instruction before the first block", start.location, "begin with 'BB1:'")
        next(reversed(function.blocks.values())).instructions.append(instruction)

    def function_fact(self, function: Function) -> None:
        """`rotating = 8`."""
        name = self.take()
        self.take()
        if getattr(function, name.text) != FUNCTION_FACTS[name.text]:
            self.fail(f"'{name.text}' is said twice", name.location)
        self.set_fact(function, name.text, self.attribute.value(), name.location)

    def block_facts(self, block: Block) -> None:
        """`{marker: true}`."""
        location = self.next.location
        for name, value in self.attribute.dictionary().items():
            if name not in BLOCK_FACTS:
                hint = nearest(str(name), BLOCK_FACTS)
                self.fail(f"a block has no '{name}'", location, hint)
            self.set_fact(block, name, value, location)

    def set_fact(
        self, about: Function | Block, name: str, value: object, location: Location
    ) -> None:
        """What is said of a function or a block, which the field of that name holds."""
        hint = get_type_hints(type(about))[name]
        if not is_a(value, hint):
            self.fail(
                f"'{name}' cannot be {print_value(value)}", location, f"it is {hint_text(hint)}"
            )
        setattr(about, name, value)

    def instruction(self, function: Function) -> Instruction:
        start = self.next.location
        guard = self.guard()
        results = self.results()
        try:
            row = self.operation()
            literals: dict[int, Token] = {}
            operands = self.call(literals) if row.calls else self.operands(row, function)
            otherwise = ()
            if self.accept_word("else"):
                otherwise = self.values([operand.kind for operand in row.writes])
            attributes = self.attribute.dictionary() if self.next.kind == "{" else {}
            self.end_of_line()
        except Skip:
            self.untyped.update(results)
            raise
        last = self.tokens[self.position - 1].location
        length = last.column + last.length - start.column if last.line == start.line else 1
        location = Location(start.file, start.line, start.column, length)
        instruction = Instruction(row, results, operands, guard, otherwise, attributes, location)
        if literals:
            self.calls.append((instruction, literals))
        return instruction

    def call(self, literals: dict[int, Token]) -> tuple[Value, ...]:
        """`@f(a, 2)`; the literals are read when the parameters of all functions are known."""
        hint = "write 'x = call.i64 @f(a, b)'"
        self.expect("@", "'@' and a function's name", hint)
        operands: list[Value] = [self.expect("name", "a function's name", hint).text]
        self.expect("(", hint=hint)
        while self.next.kind != ")":
            if self.next.kind == "number":
                literals[len(operands)] = self.take()
                operands.append(0)
            else:
                operands.append(self.value(None))
            if not self.accept(","):
                break
        self.expect(")", hint=hint)
        return tuple(operands)

    def type_arguments(self, instruction: Instruction, literals: dict[int, Token]) -> None:
        operands = list(instruction.operands)
        callee = self.module.functions.get(str(operands[0]))
        kinds = [None, *argument_types(instruction, callee)] if callee else []
        for index, token in literals.items():
            operands[index] = self.literal(token, kinds[index] if index < len(kinds) else None)
        instruction.operands = tuple(operands)

    def guard(self) -> Guard | None:
        if not self.accept("@"):
            return None
        negated = self.accept("!") is not None
        if self.next.kind == "register":
            return Guard(self.register().text, negated)
        return Guard(self.expect("name", "the guard's variable").text, negated)

    def results(self) -> tuple[str, ...]:
        """`x =` or `x, y =`; nothing is read if no '=' follows the names."""
        ahead, variables = self.position, ("name", "register")
        while self.tokens[ahead].kind in variables and self.tokens[ahead + 1].kind == ",":
            ahead += 2
        if self.tokens[ahead].kind not in variables or self.tokens[ahead + 1].kind != "=":
            return ()
        names = [self.result().text]
        while self.accept(","):
            names.append(self.result().text)
        self.expect("=")
        return tuple(names)

    def result(self) -> Token:
        return self.register() if self.next.kind == "register" else self.new_name("a variable")

    def operation(self) -> Operation:
        token = self.expect("name", "an operation")
        rows = operations().family(self.module.family)
        if token.text == "branch" and "branch.opaque" in rows and self.accept_word("opaque"):
            self.expect(",")
            return rows["branch.opaque"]
        if token.text not in rows:
            typed = [name for name in rows if name.startswith(token.text + ".")]
            hint = f"it needs a type: {', '.join(typed)}" if typed else nearest(token.text, rows)
            self.fail(f"unknown operation '{token.text}'", token.location, hint)
        return rows[token.text]

    def operands(self, row: Operation, function: Function) -> tuple[Value, ...]:
        if "phi" in row.flags:
            return self.phi_operands(row.writes[0].kind)
        if row.control == "return" and not row.reads:
            return self.values([function.result])
        return self.values([operand.kind for operand in row.reads])

    def phi_operands(self, kind: OperandKind) -> tuple[Value, ...]:
        self.expect("[", "'[BLOCK: value, …]'")
        pairs: list[Value] = []
        while self.next.kind != "]":
            pairs.append(self.expect("name", "a block's name").text)
            self.expect(":")
            pairs.append(self.value(kind))
            if not self.accept(","):
                break
        self.expect("]")
        return tuple(pairs)


def _declare(operands: Iterable[Operand], values: Iterable[Value], types: dict[str, Type]) -> None:
    """Give variables that have no type yet that of the operands they are."""
    for operand, name in zip(operands, values, strict=False):
        if isinstance(operand.kind, Type):
            if isinstance(name, str):
                types.setdefault(name, operand.kind)
        elif isinstance(operand.kind, RegisterKind | Lane) and str(name).startswith("%"):
            types.setdefault(name, operand.kind.holds)
