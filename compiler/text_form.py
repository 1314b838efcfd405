"""The text form of code: `parse` reads it, `print_module` writes it.  See compiler/README.md."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_type_hints

from compiler.ir.facts import block_notes, function_notes
from compiler.ir.module import (
    IR_FORMS,
    Block,
    Function,
    Guard,
    Instruction,
    Module,
    Value,
    argument_types,
)
from compiler.ir.printer import (
    FUNCTION_FACTS,
    print_function,
    print_instruction,
    print_module,
)
from compiler.ir.reading.attribute_text import AttributeReader, hint_text, is_a, print_value
from compiler.ir.reading.cursor import Skip
from compiler.ir.reading.inlined_text import TooMuch, Unit
from compiler.ir.reading.lexer import Token
from compiler.ir.reading.operand_text import FORM
from compiler.ir.reading.scope import Scope
from compiler.ir.reading.structure_text import StructureReader
from compiler.verify.ir import findings_of
from machines.code_facts import Note
from machines.diagnostics import InputError, Location, nearest
from machines.instructions import operations
from machines.operations.row import Lane, Operand, OperandKind, Operation, RegisterKind
from machines.types import I1, PTR, Type

__all__ = ["parse", "print_function", "print_instruction", "print_module"]


def parse(text: str, file: str = "<text>", records: Iterable[type] = ()) -> Module:
    """The module that `text` describes.  IR is verified; what machine code may be, its target knows
    (see `compiler.targets.Target.verify`).

    records  the dataclasses that attributes may hold (see `compiler.targets.Target.records`)
    Raises InputError with every finding of reader and verifier, in source order.
    """
    parser = _Parser(text, file, records)
    module = parser.module_()
    findings = [*dict.fromkeys(parser.findings)]  # what is called twice is wrong twice
    if parser.is_ir:
        findings += findings_of(module, untyped=parser.untyped)
    if findings:
        raise InputError(findings)
    return module


class _Parser(StructureReader):
    """Recursive descent; a line that cannot be read is reported and skipped."""

    def __init__(self, text: str, file: str, records: Iterable[type]):
        super().__init__(text, file)
        self.module = Module(source=text)
        self.buffers, self.shapes = self.module.buffers, {}
        self.attribute = AttributeReader(self, {record.__name__: record for record in records})
        self.untyped: set[str] = set()  # results of lines that could not be read
        self.calls: list[tuple[Instruction, dict[int, Token]]] = []  # and their literal arguments
        self.described: list[Token] = []  # functions whose addresses buffers hold
        self.unit = Unit(file, text, self.tokens)
        self.units, self.inlined, self.calls_open = {"": self.unit}, {}, []
        self.scope, self.site, self.function = Scope(self.unit.constants), None, None
        self.at = self.next.location
        self.names = {token.text for token in self.tokens if token.kind == "name"}
        self.numbers: dict[str, int] = {}
        self.instructions = 0
        self.waiting: list[tuple[int, int]] = []  # functions: where they begin and end

    # Module level

    def module_(self) -> Module:
        while self.accept("newline"):
            pass
        if self.next.text == "form" and self.ahead == "name":
            already = len(self.findings)
            self.line(self.form)
            if len(self.findings) > already:
                return self.module  # nobody knows what the rest is
        try:
            self.declarations(len(self.tokens) - 1)
            while self.waiting:
                self.position, end = self.waiting.pop(0)
                self.function_()
                self.declarations(end)
        except TooMuch:
            return self.module
        for instruction, literals in self.calls:
            self.type_arguments(instruction, literals)
        for token in self.described:
            if token.text not in self.module.functions:
                hint = nearest(token.text, self.module.functions)
                self.report(f"there is no function '@{token.text}'", token.location, hint)
        if self.inlined and not self.module.functions and self.is_ir:
            first = next(iter(self.inlined.values()))
            message = "no function runs by itself: all have buffers for parameters"
            if first.unit is self.unit:
                self.report(message, first.location, "write 'func @main() {' that calls them")
        return self.module

    def declarations(self, end: int) -> None:
        """What stands outside of functions; these wait until all buffers are known."""
        while self.position < end and self.next.kind != "end":
            if self.accept("newline"):
                continue
            if self.next.kind == "name" and self.next.text == "func":
                start = self.position
                self.skip_function(end)
                behind, self.position = self.position, start
                if not (self.is_ir and self.inlined_head(behind)):
                    self.waiting.append((start, behind))
                self.position = behind
            elif self.is_ir and self.is_constant():
                self.line(lambda: self.constant(self.unit.constants))
            elif self.is_ir and self.next.text == "use" and self.ahead in ("name", "text"):
                self.line(self.use)
            elif self.next.kind == "name" and self.site is None:
                self.line(self.buffer)
            else:
                self.line(self.neither)

    def skip_function(self, end: int) -> None:
        """Behind the '}' that closes a function, or to where the next one begins."""
        depth, first = 0, self.position
        while self.position < end and self.next.kind != "end":
            begins = self.tokens[self.position - 1].kind == "newline"
            if begins and self.position > first and self.next.text == "func":
                return
            token = self.take()
            depth += (token.kind == "{") - (token.kind == "}")
            if token.kind == "}" and depth <= 0:
                return

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

    # Functions

    def function_(self) -> None:
        function = Function("", buffers=self.module.buffers, functions=self.module.functions)
        self.scope, self.function = Scope(self.unit.constants), function
        self.is_unnamed, already = False, len(self.findings)
        self.line(lambda: self.function_head(function))
        self.scope.variables |= {name for name, _ in function.parameters}
        self.lines_of(function)
        if not self.accept("}"):
            location = function.location or self.next.location
            self.report(f"function '{function.name}' is not closed", location, "end it with '}'")
        elif self.is_ir:
            self.returned(function, len(self.findings) > already)
        self.function = None
        code = [instruction for _, instruction in function.instructions()]
        for i in code:
            _declare(i.operation.writes, i.results, function.types)
        for i in code if not self.is_ir else ():
            _declare(i.operation.reads, i.operands, function.types)
            if i.guard and i.guard.name.startswith("%"):
                function.types.setdefault(i.guard.name, I1)

    def lines_of(self, function: Function) -> None:
        while self.next.kind not in ("}", "end"):
            if self.next.kind == "name" and self.next.text == "func":
                return
            if not self.accept("newline"):
                self.line(lambda: self.function_line(function))

    def returned(self, function: Function, is_wrong: bool) -> None:
        """Of a function whose first block has no name the end is a return, too; so is that of one
        of which nothing could be read."""
        self.at = self.tokens[self.position - 1].location
        if not function.blocks and is_wrong:
            self.begin()
        last = next(reversed(function.blocks.values()), None)
        if last is None or not self.is_unnamed or (function.result is not None and not is_wrong):
            return
        if not last.instructions or not last.terminator.operation.is_terminator:
            self.emit("return", (), *([0] if function.result is not None else []))

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
        following, self.at = self.ahead, self.next.location
        if self.is_ir and self.structure(function):
            return
        if self.next.kind == "name" and following == ":":
            token = self.new_name("a block's name")
            name = self.scope.renamed(token.text)
            self.take()
            if name in function.blocks:
                first = function.blocks[name].location
                message = f"block '{token.text}' appears twice"
                self.report(message, token.location, f"first at {first}")
            else:
                self.block(name, token.location)
            if self.next.kind == "{":
                self.block_facts(function.blocks[name])
            return
        if following == "=" and not function.blocks and self.is_fact():
            self.function_fact(function)
            return
        if not function.blocks:
            if not self.is_ir:
                hint = "begin with 'BB1:'"
                self.fail("an instruction before the first block", self.at, hint)
            self.begin()
        self.instruction(function)

    def is_fact(self) -> bool:
        """Whether the next word is one that says something of a function."""
        return self.next.text in FUNCTION_FACTS or self.next.text in function_notes()

    def function_fact(self, function: Function) -> None:
        """`rotating = 8`."""
        name = self.take()
        self.take()
        note = function_notes().get(name.text)
        said = getattr(function, name.text) != FUNCTION_FACTS[name.text] if note is None else (
            name.text in function.notes
        )  # fmt: skip
        if said:
            self.fail(f"'{name.text}' is said twice", name.location)
        value = self.attribute.value()
        if note is not None:
            self.say(function, note, value, name.location)
            return
        hint = get_type_hints(Function)[name.text]
        self.check_fact(name.text, value, hint, name.location)
        setattr(function, name.text, value)

    def block_facts(self, block: Block) -> None:
        """`{marker: true}`."""
        location = self.next.location
        for name, value in self.attribute.dictionary().items():
            note = block_notes().get(name)
            if note is None:
                hint = nearest(str(name), block_notes())
                self.fail(f"a block has no '{name}'", location, hint)
            self.say(block, note, value, location)

    def say(self, about: Function | Block, note: Note, value: object, location: Location) -> None:
        """What a note of a function or a block holds."""
        self.check_fact(note.name, value, note.type, location)
        note.say(about, value)

    def check_fact(self, name: str, value: object, hint: object, location: Location) -> None:
        """What is said must be of its type."""
        if not is_a(value, hint):
            wanted = f"it is {hint_text(hint)}"
            self.fail(f"'{name}' cannot be {print_value(value)}", location, wanted)

    def instruction(self, function: Function) -> None:
        start = self.next.location
        guard = self.guard()
        results = self.results()
        try:
            if results and self.is_sum():
                self.sum(results, guard)
                return
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
        self.at = Location(start.file, start.line, start.column, length)
        if self.calls_open and row.control == "return":
            hint = f"leave it out: @{self.calls_open[-1].name} ends with its '}}'"
            self.fail("a function that is put in place of its calls has no 'return'", start, hint)
        instruction = self.put(row, results, operands, guard, otherwise, attributes)
        if literals:
            self.calls.append((instruction, literals))

    def call(self, literals: dict[int, Token]) -> tuple[Value, ...]:
        """`@f(a, 2)`; the literals are read when the parameters of all functions are known."""
        hint = "write 'x = call.i64 @f(a, b)'"
        self.expect("@", "'@' and a function's name", hint)
        callee = self.expect("name", "a function's name", hint)
        operands: list[Value] = [callee.text]
        if callee.text in self.inlined:
            message = f"@{callee.text} is put in place of its calls: it has no guard and no result"
            self.fail(message, callee.location, f"'call {self.inlined[callee.text]}', in a branch")
        self.expect("(", hint=hint)
        while self.next.kind != ")":
            if self.next.kind == "number" and not self.is_expression():
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
        name = self.expect("name", "the guard's variable").text
        return Guard(self.scope.renamed(name), negated)

    def results(self) -> tuple[str, ...]:
        """`x =` or `x, y =`; nothing is read if no '=' follows the names."""
        ahead, variables = self.position, ("name", "register")
        while self.tokens[ahead].kind in variables and self.tokens[ahead + 1].kind == ",":
            ahead += 2
        if self.tokens[ahead].kind not in variables or self.tokens[ahead + 1].kind != "=":
            return ()
        names = [self.result()]
        while self.accept(","):
            names.append(self.result())
        self.expect("=")
        return tuple(names)

    def result(self) -> str:
        if self.next.kind == "register":
            return self.register().text
        return self.assigned_name(self.new_name("a variable"))

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
            pairs.append(self.scope.renamed(self.expect("name", "a block's name").text))
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
