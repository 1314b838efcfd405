"""Functions with buffers for parameters: they are put in place of their calls as the text is read.

    use operators
    use "mine.sir"

    func @scaled(y: T[rows, n] in nram, x: T[rows, n], factor: f32) {
        const LAST = rows - 1
        t: T[n] in nram
        for r in 0:rows {
            tensor.mul_scalar y[r], x[r], factor
        }
    }

Each call is read anew, with what the parameters are: a part of a buffer and its axes, a number, a
variable, a type.  So all that is known where it is called is known inside, and buffers of such a
function are made for each call.  What lines of another file say stands at the call.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from compiler.ir.facts import space_named, spaces
from compiler.ir.module import Function
from compiler.ir.reading.cursor import Skip
from compiler.ir.reading.lexer import Token, tokenize
from compiler.ir.reading.linear import Amount, Linear
from compiler.ir.reading.operation_text import OperationReader
from compiler.ir.reading.scope import Scope
from compiler.ir.reading.views import View
from machines.diagnostics import InputError, Location, nearest
from machines.reading import MOST_SOURCE, read_text
from machines.types import I1, TYPES

LIBRARY = Path(__file__).parents[2] / "library"
"""Files that `use NAME` means."""
MOST_INSTRUCTIONS = 1 << 18
"""Of a text once its calls are in place."""
_DEEPEST = 24


class TooMuch(Exception):
    """Nothing more is read."""


@dataclass(slots=True)
class Unit:
    """A file: its tokens and its constants."""

    file: str
    text: str
    tokens: list[Token]
    constants: dict[str, int | float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Parameter:
    """`type` is a token; of a buffer `axes` is where its sizes stand, and `space` may be named."""

    name: str
    type: Token
    axes: int | None = None
    space: str | None = None

    def __str__(self) -> str:
        return f"{self.name}: {self.type.text}{'' if self.axes is None else '[…]'}"


@dataclass(slots=True)
class Inlined:
    """A function that is read at each call; `body` is where its first line stands."""

    name: str
    unit: Unit
    location: Location
    parameters: list[Parameter]
    body: int
    calls: int = 0

    def __str__(self) -> str:
        return f"@{self.name}({', '.join(map(str, self.parameters))})"


class InlinedReader(OperationReader):
    """`units` are the files that were read, by path; `site` is the call that is being read."""

    unit: Unit
    units: dict[str, Unit]
    inlined: dict[str, Inlined]
    calls_open: list[Inlined]
    site: Location | None

    def lines_of(self, function: Function) -> None:
        """Read the lines of a function up to its '}'."""
        raise NotImplementedError

    # Files

    def use(self) -> None:
        """`use operators`, `use "mine.sir"`."""
        start = self.take()
        said = self.next
        if said.kind == "text":
            path = str(Path(self.unit.file).parent / self.take().text[1:-1])
        else:
            name = self.expect("name", "a file in quotes, or the name of a library").text
            known = sorted(found.stem for found in LIBRARY.glob("*.sir"))
            if name not in known:
                self.fail(f"there is no library '{name}'", said.location, nearest(name, known))
            path = str(LIBRARY / f"{name}.sir")
        if path in self.units:
            return
        try:
            text = read_text(path, MOST_SOURCE, own=said.kind != "text")
        except InputError as error:
            self.fail(error.diagnostics[0].message, said.location, "the path is from this file on")
        tokens, findings = tokenize(text, path)
        unit = self.units[path] = Unit(path, text, tokens)
        site = self.site or Location(start.location.file, start.location.line, 1)
        with self.reading(unit, 0, Scope(unit.constants), site):
            for finding in findings:
                self.report(finding.message, finding.location, finding.hint)
            self.declarations(len(tokens))

    def declarations(self, end: int) -> None:
        """Read what stands outside of functions, up to a token."""
        raise NotImplementedError

    @contextmanager
    def reading(
        self, unit: Unit, position: int, scope: Scope, site: Location | None
    ) -> Iterator[None]:
        """Read on in another place, and come back."""
        before = self.unit, self.tokens, self.text, self.position, self.scope, self.site
        self.unit, self.tokens, self.text = unit, unit.tokens, unit.text
        self.position, self.scope, self.site = position, scope, site
        try:
            yield
        finally:
            self.unit, self.tokens, self.text, self.position, self.scope, self.site = before

    def report(self, message: str, location: Location, hint: str | None = None) -> None:
        """What is wrong in another file, or because of a call, is said where that is called."""
        main = self.units[""]
        if self.site is not None and location.file != main.file:
            message = f"{message} (in line {location.line} of {Path(location.file).name})"
            location = self.site
        before, self.text = self.text, main.text
        super().report(message, location, hint)
        self.text = before

    def here(self, location: Location) -> Location:
        """Where an instruction stands: of another file's the call."""
        return location if self.site is None or location.file == self.units[""].file else self.site

    # Heads

    def inlined_head(self, end: int) -> bool:
        """Whether the function that begins here is one of these; then it is known from now on."""
        start, self.position = self.position, self.position + 1
        is_library = self.unit is not self.units[""]
        try:
            if not is_library and not self._has_buffers():
                return False
            self.expect("@", "'@' and the function's name")
            name = self.new_name("the function's name")
            self.expect("(")
            parameters = []
            while self.next.kind != ")":
                parameters.append(self._parameter())
                if not self.accept(","):
                    break
            self.expect(")")
            if self.next.kind == "->":
                hint = "let it write to a buffer"
                self.fail("a function that is put in place returns nothing", name.location, hint)
            self.expect("{")
            first = self.inlined.setdefault(
                name.text, Inlined(name.text, self.unit, name.location, parameters, self.position)
            )
            if first.location != name.location:
                message = f"function '{name.text}' is defined twice"
                self.report(message, name.location, f"first at {first.location}")
        except Skip:
            pass
        finally:
            self.position = start
        return True

    def _has_buffers(self) -> bool:
        ahead = self.position
        while self.tokens[ahead].kind not in (")", "{", "newline", "end"):
            if self.tokens[ahead].kind == "[":
                return True
            ahead += 1
        return False

    def _parameter(self) -> Parameter:
        name = self.new_name("a parameter's name")
        self.expect(":", "':' and the parameter's type")
        type = self.expect("name", "a type")
        if self.next.kind != "[":
            if type.text not in TYPES:
                self.fail(f"unknown type '{type.text}'", type.location, nearest(type.text, TYPES))
            return Parameter(name.text, type)
        self.take()
        axes = self.position
        while self.next.kind not in ("]", "newline", "end"):
            self.take()
        self.expect("]")
        space = None
        if self.accept_word("in"):
            token = self.expect("name", "a memory space")
            space = token.text
            if space_named(space) is None:
                message = f"there is no memory space '{space}'"
                self.fail(message, token.location, nearest(space, spaces()))
        return Parameter(name.text, type, axes, space)

    # Calls

    def call_inlined(self, function: Function, callee: Inlined, at: Token) -> None:
        """`call @f(a, x[0:8], 2)`, behind the name."""
        given = self._given(callee, at)
        if callee in self.calls_open:
            hint = "write a loop: such a function is put in place of its calls"
            self.fail(f"'@{callee.name}' calls itself", at.location, hint)
        if len(self.calls_open) >= _DEEPEST:
            self.fail(f"calls are {_DEEPEST} deep", at.location)
        callee.calls += 1
        scope = Scope(
            callee.unit.constants,
            prefix=f"{callee.name}.{callee.calls}.",
            variables=self.scope.variables,
            computed=self.scope.computed,
            is_foreign=callee.unit is not self.units[""],
        )
        site = self.site or self.here(at.location)
        self.calls_open.append(callee)
        try:
            with self.reading(callee.unit, callee.body, scope, site):
                self._bind(callee, given, at)
                self.lines_of(function)
        finally:
            self.calls_open.pop()

    def _given(self, callee: Inlined, at: Token) -> list[View | Amount | float]:
        self.expect("(")
        given: list[View | Amount | float] = []
        while self.next.kind != ")":
            if len(given) == len(callee.parameters):
                self._wrong_count(callee, at)
            is_buffer = callee.parameters[len(given)].axes is not None
            given.append(self.view() if is_buffer else self.expression())
            if not self.accept(","):
                break
        self.expect(")")
        if len(given) < len(callee.parameters):
            self._wrong_count(callee, at)
        self.end_of_line()
        return given

    def _wrong_count(self, callee: Inlined, at: Token) -> None:
        count = len(callee.parameters)
        message = f"@{callee.name} takes {count} argument{'' if count == 1 else 's'}"
        self.fail(message, at.location, f"func {callee}")

    def _bind(self, callee: Inlined, given: list[View | Amount | float], at: Token) -> None:
        """Numbers first: sizes of buffers may name them."""
        pairs = list(zip(callee.parameters, given, strict=True))
        for parameter, value in pairs:
            if parameter.axes is None:
                self._bind_number(parameter, value, at)
        buffers = [pair for pair in pairs if pair[0].axes is not None]
        for parameter, view in sorted(buffers, key=lambda pair: self._is_other(*pair)):
            self._bind_buffer(callee, parameter, view, at)

    def _is_other(self, parameter: Parameter, view: View) -> bool:
        """Whether a buffer gets other axes than it has; then the others say first how many."""
        count, ahead = 1, parameter.axes
        while self.unit.tokens[ahead].kind != "]":
            count += self.unit.tokens[ahead].kind == ","
            ahead += 1
        return count != len(view.shape)

    def _bind_number(self, parameter: Parameter, value: Amount | float, at: Token) -> None:
        type = TYPES[parameter.type.text]
        if not isinstance(value, Linear):
            value = self.fitting(value, str(value), at.location, type)
        self.scope.known[parameter.name] = value

    def _bind_buffer(self, callee: Inlined, parameter: Parameter, view: View, at: Token) -> None:
        name, said = parameter.name, parameter.type.text
        if said in TYPES and TYPES[said] is I1:
            self.fail("a buffer cannot hold i1", parameter.type.location, "use i8")
        type = self.scope.type(said) or self.scope.types.setdefault(said, view.dtype)
        if type is not view.dtype:
            message = f"'{name}' of @{callee.name} holds {type}, and '{view.buffer}' {view.dtype}"
            self._fail_at_call(message, at, f"func {callee}")
        space = self.buffers[view.buffer].space
        if parameter.space is not None and space != parameter.space:
            message = f"'{name}' of @{callee.name} stands in {parameter.space}, not in {space}"
            self._fail_at_call(message, at, f"copy '{view.buffer}' to {parameter.space} before")
        after, self.position = self.position, parameter.axes
        wanted: list[Amount | str] = []
        while self.next.kind != "]":
            is_open = self.next.kind == "name" and self.ahead in (",", "]")
            is_open = is_open and not self.scope.has(self.next.text)
            wanted.append(self.named(self.take()) if is_open else self.amount())
            if not self.accept(","):
                break
        self.expect("]")
        self.position = after
        self.scope.views[name] = self._shaped(callee, name, view, wanted, at)

    def _shaped(
        self, callee: Inlined, name: str, view: View, wanted: list[Amount | str], at: Token
    ) -> View:
        """The buffer with these axes; names among them are its sizes from now on."""
        shape = view.shape
        if len(wanted) != len(shape):
            known = tuple(None if isinstance(one, str) else one for one in wanted)
            found = None
            if not any(isinstance(one, Linear) for one in known):
                found = view.reshaped(known)
            if found is None and known.count(None) > 1:
                found = view.with_axes(len(wanted))
            if found is None:
                message = f"{_sizes(shape)} elements are given for '{name}' of @{callee.name}"
                hint = f"it wants {_sizes(wanted)}"
                self._fail_at_call(message, at, hint)
            view, shape = found, found.shape
        for one, size in zip(wanted, shape, strict=True):
            if isinstance(one, str):
                one = self.scope.known.setdefault(one, size)
            if one != size:
                message = f"{_sizes(shape)} elements are given for '{name}' of @{callee.name}"
                shown = (self.scope.known.get(w, w) if isinstance(w, str) else w for w in wanted)
                self._fail_at_call(message, at, f"it wants {_sizes([*shown])}")
        return view

    def _fail_at_call(self, message: str, at: Token, hint: str) -> None:
        self.fail(message, at.location, hint)


def _sizes(shape) -> str:
    return " × ".join("…" if isinstance(one, Linear) else str(one) for one in shape) or "no"
