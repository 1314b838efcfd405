"""The text form of the IR: `parse` reads it, `print_module` writes it.  See compiler/README.md."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from compiler.ir.builder import canonical
from compiler.ir.lexer import RESERVED, Token, tokenize
from compiler.ir.memory_spaces import FLAT
from compiler.ir.module import (
    SPACES,
    AnyOf,
    Block,
    Buffer,
    Descriptor,
    Function,
    Guard,
    Instruction,
    Module,
    Value,
    argument_types,
)
from compiler.ir.printer import numpy_type, print_function, print_instruction, print_module
from compiler.ir.verify import findings_of, literal_range
from machines.diagnostics import Diagnostic, InputError, Location, diagnostic, nearest
from machines.instructions import operations
from machines.operations.row import Label, OperandKind, Operation, Region, Symbol
from machines.types import I1, I64, PTR, TYPES, Type

INTERVAL = "an interval is 'a[low:high]', both bounds numbers or i64 variables"

__all__ = ["parse", "print_function", "print_instruction", "print_module"]


def parse(text: str, file: str = "<text>") -> Module:
    """The module that `text` describes, verified.

    Raises InputError with every finding of reader and verifier, in source order.
    """
    parser = _Parser(text, file)
    module = parser.module_()
    findings = parser.findings + findings_of(module, untyped=parser.untyped)
    if findings:
        raise InputError(findings)
    return module


class _Skip(Exception):
    """The rest of the line cannot be read."""


class _Parser:
    """Recursive descent; a line that cannot be read is reported and skipped."""

    def __init__(self, text: str, file: str):
        self.tokens, self.findings = tokenize(text, file)
        self.module = Module(source=text)
        self.untyped: set[str] = set()  # results of lines that could not be read
        self.calls: list[tuple[Instruction, dict[int, Token]]] = []  # and their literal arguments
        self.described: list[Token] = []  # functions whose addresses buffers hold
        self.unclear = {finding.location.line for finding in self.findings if finding.location}
        self.text = text
        self.position = 0

    # Tokens

    @property
    def next(self) -> Token:
        return self.tokens[self.position]

    @property
    def ahead(self) -> str:
        """The kind of the token behind the next one."""
        return self.tokens[min(self.position + 1, len(self.tokens) - 1)].kind

    def take(self) -> Token:
        token = self.next
        if token.kind != "end":
            self.position += 1
        return token

    def accept(self, kind: str) -> Token | None:
        return self.take() if self.next.kind == kind else None

    def accept_word(self, word: str) -> Token | None:
        return self.take() if self.next.kind == "name" and self.next.text == word else None

    def expect(self, kind: str, meaning: str | None = None, hint: str | None = None) -> Token:
        if self.next.kind != kind:
            wanted = meaning or f"'{kind}'"
            self.fail(f"expected {wanted}, found {self.next}", self.next.location, hint)
        return self.take()

    def end_of_line(self) -> None:
        if self.next.kind not in ("newline", "end", "}"):
            self.fail(f"unexpected {self.next} at the end of the line", self.next.location)

    def report(self, message: str, location: Location, hint: str | None = None) -> None:
        """A finding, unless the line has characters that were left out: that has been said."""
        if location.line not in self.unclear:
            finding: Diagnostic = diagnostic(message, location, source=self.text, hint=hint)
            self.findings.append(finding)

    def fail(self, message: str, location: Location, hint: str | None = None) -> None:
        self.report(message, location, hint)
        raise _Skip

    def new_name(self, meaning: str) -> Token:
        """A name that is being declared."""
        token = self.expect("name", meaning)
        if token.text in RESERVED:
            self.report(f"'{token.text}' is a reserved word", token.location, "choose another name")
        return token

    def line(self, read: Callable[[], None]) -> None:
        """Read one line's worth with `read`; if that fails, skip to the next line."""
        try:
            read()
            self.end_of_line()
        except _Skip:
            while self.next.kind not in ("newline", "end"):
                self.take()
        self.accept("newline")

    # Module level

    def module_(self) -> Module:
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
        data = np.array(values, numpy_type(dtype))
        for place, bits in payloads.items():
            data.view(f"<u{dtype.bytes}")[place] = bits
        return data.tobytes()

    def bits_of_nan(self, dtype: Type) -> int:
        """`nan(0x7ff8000000000001)`: a NaN by its bits."""
        self.take()
        self.expect("(")
        token = self.expect("number", "the bits of a NaN")
        self.expect(")")
        text, unsigned = token.text.replace("_", "").lower(), f"<u{dtype.bytes}"
        bits = int(text, 16) if text.startswith("0x") else 0
        if bits >> dtype.bits or not np.isnan(np.array(bits, unsigned).view(numpy_type(dtype))):
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
            place = function.location or self.next.location
            self.report(f"function '{function.name}' is not closed", place, "end it with '}'")
        for _, instruction in function.instructions():
            for operand, name in zip(
                instruction.operation.writes, instruction.results, strict=False
            ):
                function.types.setdefault(name, operand.kind)

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
            separate = self.separate()
            parameter = self.new_name("a parameter's name")
            self.expect(":", "':' and the parameter's type")
            type = self.type_()
            if separate and type is PTR:
                function.separate |= {parameter.text}
            elif separate:
                message = f"'{parameter.text}' is {type}, and only a ptr can be separate"
                self.report(message, separate.location, "leave 'separate' out")
            if parameter.text in function.types:
                self.report(f"parameter '{parameter.text}' is named twice", parameter.location)
            else:
                function.parameters.append((parameter.text, type))
                function.types[parameter.text] = type
                function.places[parameter.text] = parameter.location
            if not self.accept(","):
                break
        self.expect(")")
        if self.accept("->"):
            function.result = self.type_()
        self.expect("{")

    def separate(self) -> Token | None:
        """The word 'separate' before a parameter, which may have that name itself."""
        is_word = self.ahead == "name"
        return self.accept_word("separate") if is_word else None

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
            return
        start = self.next
        instruction = self.instruction(function)
        if not function.blocks:
            self.fail("an instruction before the first block", start.location, "begin with 'BB1:'")
        next(reversed(function.blocks.values())).instructions.append(instruction)

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
            attributes = self.attributes() if self.next.kind == "{" else {}
            self.end_of_line()
        except _Skip:
            self.untyped.update(results)
            raise
        last = self.tokens[self.position - 1].location
        length = last.column + last.length - start.column if last.line == start.line else 1
        place = Location(start.file, start.line, start.column, length)
        instruction = Instruction(row, results, operands, guard, otherwise, attributes, place)
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
        return Guard(self.expect("name", "the guard's variable").text, negated)

    def results(self) -> tuple[str, ...]:
        """`x =` or `x, y =`; nothing is read if no '=' follows the names."""
        ahead = self.position
        while self.tokens[ahead].kind == "name" and self.tokens[ahead + 1].kind == ",":
            ahead += 2
        if self.tokens[ahead].kind != "name" or self.tokens[ahead + 1].kind != "=":
            return ()
        names = [self.new_name("a variable").text]
        while self.accept(","):
            names.append(self.new_name("a variable").text)
        self.expect("=")
        return tuple(names)

    def operation(self) -> Operation:
        token = self.expect("name", "an operation")
        rows = operations().family("ir")
        if token.text == "branch" and self.accept_word("opaque"):
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
        if row.control == "return":
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

    def values(self, kinds: list[OperandKind | None]) -> tuple[Value, ...]:
        """Comma-separated values up to 'else', an attribute list or the end of the line."""
        values: list[Value] = []
        if self.next.kind in ("newline", "end", "{", "}") or self.next.text == "else":
            return ()
        while True:
            kind = kinds[len(values)] if len(values) < len(kinds) else None
            values.append(self.value(kind))
            if not self.accept(","):
                return tuple(values)

    def value(self, kind: OperandKind | None) -> Value:
        if self.next.kind == "number":
            return self.literal(self.take(), kind)
        following = self.ahead
        if self.next.kind == "name" and following == "[":
            return self.descriptor()
        if self.next.text == "any" and following == "(":
            return self.any_of()
        meaning = "an interval" if isinstance(kind, Region) else "a variable or a number"
        token = self.expect("name", meaning)
        if token.text in ("true", "false"):
            return int(token.text == "true")
        return self.name(token)

    def name(self, token: Token) -> str:
        if token.text in RESERVED:
            self.fail(f"'{token.text}' cannot stand here", token.location)
        return token.text

    def descriptor(self) -> Descriptor:
        """`a[low:high]`."""
        buffer = self.name(self.expect("name", "a buffer's name", INTERVAL))
        self.expect("[", hint=INTERVAL)
        low = self.bound()
        self.expect(":", "':' and the bound behind the last element", INTERVAL)
        high = self.bound()
        self.expect("]", hint=INTERVAL)
        return Descriptor(buffer, low, high)

    def bound(self) -> int | str:
        if self.next.kind != "number":
            return self.name(self.expect("name", "a number or an i64 variable", INTERVAL))
        already = len(self.findings)
        bound = self.literal(self.take(), I64)
        if len(self.findings) > already:
            raise _Skip
        return bound

    def any_of(self) -> AnyOf:
        """`any(a[0:32], b[0:64])`; the verifier asks for a candidate."""
        self.take()
        self.expect("(")
        candidates = []
        while self.next.kind != ")":
            candidates.append(self.descriptor())
            if not self.accept(","):
                break
        self.expect(")")
        return AnyOf(tuple(candidates))

    def literal(self, token: Token, kind: OperandKind | None) -> int | float:
        """A number as a value of its operand's kind; what does not fit is reported."""
        if isinstance(kind, (Label, Symbol)):
            wanted = "a block's name" if isinstance(kind, Label) else "a buffer's name"
            self.fail(f"expected {wanted}, found {token}", token.location)
        text = token.text.replace("_", "")
        is_hexadecimal = "x" in text.lower()
        is_integer = is_hexadecimal or text.lstrip("-").isdigit()
        if isinstance(kind, Type) and kind.is_float:
            return self.float_literal(token, int(text, 16) if is_hexadecimal else float(text), kind)
        if not is_integer and isinstance(kind, Type):
            self.report(f"{token} is no {kind}", token.location, "write a whole number")
            return 0
        number = int(text, 16 if is_hexadecimal else 10) if is_integer else float(text)
        if not isinstance(kind, Type):
            return number
        lowest, highest = literal_range(kind)
        if not lowest <= number <= highest:
            message = f"{token} does not fit {kind}"
            self.report(message, token.location, f"{kind} takes {lowest} … {highest}")
            return 0
        return canonical(number, kind)

    def float_literal(self, token: Token, number: int | float, kind: Type) -> float:
        try:
            value = canonical(number, kind)
        except OverflowError:
            value = math.inf
        if math.isinf(value) and "inf" not in token.text:
            self.report(f"{token} does not fit {kind}", token.location, "write inf or -inf")
        return value

    def attributes(self) -> dict[str, object]:
        """`{key: value, …}` with numbers or texts as values."""
        self.expect("{")
        found: dict[str, object] = {}
        while self.next.kind != "}":
            key = self.expect("name", "an attribute's name")
            self.expect(":")
            text = self.accept("text")
            number = text or self.expect("number", "a number or a text in quotes")
            found[key.text] = text.text[1:-1] if text else self.literal(number, None)
            if not self.accept(","):
                break
        self.expect("}")
        return found
