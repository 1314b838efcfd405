"""What the text form has beside operations: constants, loops, sums, buffers of a function.

    const ROWS = 16
    for i in 0:n by ROWS {
        t: f32[ROWS, 64] in nram
        low = i * 64 + 1
        …
    }

A loop is blocks: its variable begins at `low`, and as long as it is below `high` (of a negative
step: above), its lines are run and it grows by the step.  Where it is known that there is a turn,
the test stands at the end alone.
"""

from __future__ import annotations

from compiler.ir.module import Block, Function, Instruction, Module, Value
from compiler.ir.reading.buffer_text import BufferReader
from compiler.ir.reading.cursor import Skip
from compiler.ir.reading.inlined_text import MOST_INSTRUCTIONS, TooMuch
from compiler.ir.reading.lexer import Token
from compiler.ir.reading.linear import Linear
from machines.diagnostics import Location
from machines.instructions import operations
from machines.operations.row import Operation

_DEEPEST = 24
FOR = "write 'for i in 0:n {' or 'for i in 0:n by 2 {'"


class StructureReader(BufferReader):
    """`function` is the one that is being written, `at` the place of the line that is being read;
    `is_unnamed` says that no label begins it."""

    module: Module
    function: Function | None
    at: Location
    instructions: int
    names: set[str]
    numbers: dict[str, int]
    untyped: set[str]
    is_unnamed: bool

    def function_line(self, function: Function) -> None:
        raise NotImplementedError

    # Writing

    def put(
        self, row: Operation, results: tuple[str, ...], operands: tuple[Value, ...], *more
    ) -> Instruction:
        """The next instruction of the block that is being written."""
        self.instructions += 1
        if self.instructions > MOST_INSTRUCTIONS:
            hint = "write a loop for what is called again and again"
            self.report(f"more than {MOST_INSTRUCTIONS} instructions", self.at, hint)
            raise TooMuch
        made = Instruction(row, results, operands, *more, location=self.here(self.at))
        next(reversed(self.function.blocks.values())).instructions.append(made)
        for name in results:
            self.scope.assigned(name)
        return made

    def emit(self, name: str, results: tuple[str, ...] = (), *operands: Value) -> None:
        self.put(operations().family("ir")[name], results, operands)

    def compute(self, row: str, *operands: int | str) -> str:
        if self.function is None or not self.is_ir:
            what = "no variable is known here" if self.is_ir else "machine code has no expressions"
            self.fail(what, self.next.location, "use numbers and constants ('const N = 64')")
        self.begin()
        result = self.fresh("$")
        self.emit(row, (result,), *operands)
        return result

    def begin(self) -> None:
        """The first block, if no line has begun one."""
        if not self.function.blocks:
            self.is_unnamed = True
            self.block("entry" if "entry" not in self.names else self.fresh("entry."), self.at)

    def block(self, name: str, location: Location | None) -> Block:
        found = self.function.blocks[name] = Block(name, location=location)
        self.scope.computed.clear()
        return found

    def fresh(self, begin: str) -> str:
        """A name that stands nowhere in the text."""
        number = self.numbers.get(begin, 0)
        while True:
            number += 1
            self.numbers[begin] = number
            if f"{begin}{number}" not in self.names:
                return f"{begin}{number}"

    # Statements

    def structure(self, function: Function) -> bool:
        """Read a line that is no instruction; False: it is one."""
        if self.is_loop():
            self.loop(function)
        elif self.is_constant():
            self.constant(self.scope.known)
        elif self.is_buffer():
            self.buffers_of(function)
        elif self.next.kind == "name" and self.tokens[self.position + 1].text == "in":
            self.begin()
            self.copied(function)
        elif self.is_call():
            self.call_line(function)
        else:
            return False
        return True

    def is_loop(self) -> bool:
        is_head = self.next.text == "for" and self.ahead == "name"
        return is_head and self.tokens[self.position + 2].text == "in"

    def is_constant(self) -> bool:
        is_head = self.next.text == "const" and self.ahead == "name"
        return is_head and self.tokens[self.position + 2].kind == "="

    def is_buffer(self) -> bool:
        """Whether `name, …: type[` stands here."""
        ahead = self.position
        while self.tokens[ahead].kind == "name" and self.tokens[ahead + 1].kind == ",":
            ahead += 2
        kinds = [token.kind for token in self.tokens[ahead : ahead + 4]]
        return kinds == ["name", ":", "name", "["]

    def is_call(self) -> bool:
        """Whether a function is called here that is put in place."""
        kinds = [token.kind for token in self.tokens[self.position : self.position + 4]]
        return (
            self.next.text == "call"
            and kinds == ["name", "@", "name", "("]
            and self.tokens[self.position + 2].text in self.inlined
        )

    def call_line(self, function: Function) -> None:
        self.take(), self.take()
        name = self.take()
        self.begin()
        self.call_inlined(function, self.inlined[name.text], name)

    def constant(self, known: dict[str, int | float]) -> None:
        """`const NAME = expression`."""
        self.take()
        name = self.new_name("a constant's name")
        self.take()
        start = self.next
        value = self.expression()
        if isinstance(value, Linear):
            hint = f"leave 'const' out: '{name.text} = …' is a variable"
            self.fail(f"'{name.text}' is not known before the program runs", start.location, hint)
        if name.text in known:
            self.fail(f"'{name.text}' is a constant already", name.location, "use another name")
        known[name.text] = value

    # Sums

    def is_sum(self) -> bool:
        """Whether an expression stands behind '=', and no operation."""
        if not self.is_ir or self.next.kind not in ("number", "name", "(", "-"):
            return False
        if self.next.kind == "name" and self.next.text in operations().family("ir"):
            ahead = self.tokens[self.position + 1]
            return ahead.kind in ("+", "-", "*", "/", "%") and self.is_expression()
        is_alone = self.ahead in ("newline", "end", "}")
        return self.is_expression() or is_alone

    def sum(self, results: tuple[str, ...], guard) -> None:
        """`x = expression`, of i64."""
        start = self.next
        found = self.amount()
        self.end_of_line()
        if len(results) > 1:
            self.fail("one value for several variables", start.location)
        value, made = self.holder(found), next(reversed(self.function.blocks.values()))
        last = made.instructions[-1] if made.instructions else None
        if guard is None and last is not None and last.results == (value,) and self.is_own(value):
            made.instructions.pop()  # it is computed here, and for this alone
            self.scope.assigned(value)
            self.put(last.operation, results, last.operands)
        else:
            self.put(operations().family("ir")["copy.i64"], results, (value,), guard)

    def is_own(self, name: str) -> bool:
        """Whether a variable was made for what a line computes."""
        return name.startswith("$") and name not in self.names

    # Loops

    def loop(self, function: Function) -> None:
        """`for i in low:high by step {` … `}`."""
        if len(self.scope.loops) >= _DEEPEST:
            self.report(f"loops are {_DEEPEST} deep", self.next.location)
            raise TooMuch
        self.begin()
        variable = self.scope.renamed(self.tokens[self.position + 1].text)
        try:
            head = self._head()
        except Skip:
            self.untyped.add(variable)
            self._skip_head()
            self.lines_of(function)
            self.accept("}")
            return
        name, low, high, step, location = head
        body, done = self.fresh("for."), self.fresh("done.")
        is_run = isinstance(low, int) and isinstance(high, int)
        is_run = is_run and (low < high if step > 0 else low > high)
        test = "lt_s.i64" if step > 0 else "gt_s.i64"
        self.emit("copy.i64", (name,), low)
        if is_run:
            self.emit("jump", (), body)
        else:
            self.emit("branch", (), self._tested(test, name, high), body, done)
        self.block(body, location)
        self.scope.loops.append(name)
        self.lines_of(function)
        if not self.accept("}"):
            self.report("a loop is not closed", location, "end it with '}'")
        self.scope.loops.pop()
        self.at = location
        self.emit("add.i64", (name,), name, step)
        self.emit("branch", (), self._tested(test, name, high), body, done)
        self.block(done, location)

    def _head(self) -> tuple[str, int | str, int | str, int, Location]:
        location = self.at = self.take().location
        token = self.new_name("a variable")
        name = self.assigned_name(token)
        self.take()
        low = self.holder(self.amount())
        self.expect(":", "':' and the bound behind the last turn", FOR)
        high = self.holder(self.amount())
        if isinstance(high, str):  # what the loop does changes no bound of it
            kept = self.fresh("$")
            self.emit("copy.i64", (kept,), high)
            high = kept
        step = 1
        if self.accept_word("by"):
            start = self.next
            step = self.whole("the step of a loop")
            if step == 0:
                self.fail("the step of a loop is not 0", start.location, FOR)
        self.expect("{", "'{'", FOR)
        self.end_of_head()
        return name, low, high, step, location

    def end_of_head(self) -> None:
        if self.next.kind != "newline":
            message = f"unexpected {self.next} behind '{{'"
            self.fail(message, self.next.location, "begin a line")

    def _skip_head(self) -> None:
        """To the lines of a loop whose head cannot be read; fails if it has none."""
        while self.next.kind not in ("newline", "end"):
            self.take()
        if self.tokens[self.position - 1].kind != "{":
            raise Skip

    def _tested(self, row: str, name: str, high: int | str) -> str:
        result = self.fresh("$")
        self.emit(row, (result,), name, high)
        return result

    def assigned_name(self, token: Token) -> str:
        """A variable that something is written to."""
        name = self.scope.renamed(token.text)
        if self.scope.has(token.text):
            message = f"'{token.text}' is a constant, or what a function is given"
            self.report(message, token.location, "use another name")
        if name in self.scope.loops:
            message = f"'{token.text}' is the variable of a loop that is open"
            self.report(message, token.location, "only the loop changes it")
        return name
