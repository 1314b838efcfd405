"""Intervals of the text form, and what else names a part of a buffer.

a[0:64]   a[i * 64 +: 64]   a[0:64, 8 by 256]   a          of a buffer with one axis
x[r]   x[r +: 16]   x[:, 32:64]   x                        of a buffer of rows and columns
"""

from __future__ import annotations

from dataclasses import replace

from compiler.ir.module import AnyOf, Buffer, Descriptor
from compiler.ir.reading.expression_text import ExpressionReader
from compiler.ir.reading.lexer import RESERVED, Token
from compiler.ir.reading.linear import Amount, minus, plus
from compiler.ir.reading.views import View, whole
from machines.diagnostics import nearest

INTERVAL = "an interval is 'a[low:high]', both bounds numbers or i64 variables"
STRIDED = "a strided interval is 'a[low:high, count by stride]'"
_Cut = tuple[Token, Amount, Amount | None, bool]
"""What stands between commas: where, its bounds (None: to the end), and whether the axis goes."""


class IntervalReader(ExpressionReader):
    """`shapes` holds the axes of buffers that have several."""

    buffers: dict[str, Buffer]
    shapes: dict[str, tuple[int, ...]]

    def view_named(self, name: str) -> View | None:
        """What a name means, if it is that of a buffer."""
        found = self.scope.views.get(name)
        if found is None and name in self.buffers and self.scope.sees_buffers(name):
            buffer = self.buffers[name]
            return whole(name, buffer.dtype, self.shapes.get(name, (buffer.count,)))
        return found

    def named(self, token: Token) -> str:
        if token.text in RESERVED:
            self.fail(f"'{token.text}' cannot stand here", token.location)
        return token.text

    def view(self) -> View:
        """A part of a buffer that must be there."""
        token = self.expect("name", "a buffer", INTERVAL)
        found = self.view_named(self.named(token))
        if found is None:
            self.no_buffer(token)
        return self.part(token, found) if self.next.kind == "[" else found

    def no_buffer(self, token: Token) -> None:
        """Fails; of buffers that calls have made nobody knows the names."""
        own = [name for name in self.buffers if "." not in name and self.scope.sees_buffers(name)]
        hint = nearest(token.text, {*own, *self.scope.views})
        self.fail(f"there is no buffer '{token.text}'", token.location, hint)

    def descriptor(self) -> Descriptor:
        """`a[low:high]`, `a[low:high, count by stride, …]`, or a part of several axes."""
        token = self.expect("name", "a buffer's name", INTERVAL)
        name = self.named(token)
        view = self.view_named(name)
        if view is None:  # the verifier says so
            view = View(name, None, 0, (0,), (1,))  # type: ignore[arg-type]
        return self.part(token, view).descriptor(self.holder)

    def part(self, token: Token, view: View) -> View:
        """What brackets behind a buffer's name leave of it."""
        self.expect("[", hint=INTERVAL)
        if view.steps:
            message = f"'{token.text}' is strided, and only all of it is used"
            self.fail(message, token.location, "take a part of it before")
        cuts, steps = [self._cut()], []
        while self.accept(","):
            start = self.next
            cut = self._cut(after_first=True)
            if isinstance(cut[1], tuple):
                steps.append(cut[1])
            elif steps:
                self.fail(f"expected 'by' and a stride, found {self.next}", start.location, STRIDED)
            else:
                cuts.append(cut)
        self.expect("]", hint=INTERVAL)
        if len(cuts) > len(view.sizes):
            message = f"{len(cuts)} places, but '{token.text}' has {_axes(view)}"
            self.fail(message, cuts[len(view.sizes)][0].location, STRIDED)
        if steps and len(view.sizes) > 1:
            hint = "leave out 'by': a part of several axes is strided by itself"
            self.fail(f"'{token.text}' has {_axes(view)}", token.location, hint)
        return self._taken(token, view, cuts, steps)

    def _taken(self, token: Token, view: View, cuts: list[_Cut], steps: list) -> View:
        is_checked = len(view.sizes) > 1 or token.text in self.scope.views
        for axis, (at, low, high, _) in enumerate(cuts):
            size = view.sizes[axis]
            high = size if high is None else high
            if is_checked and isinstance(size, int):
                self._check_inside(at, token, low, high, size)
            view = view.cut(axis, low, high)
        for axis in reversed([axis for axis, (*_, goes) in enumerate(cuts) if goes]):
            if len(view.sizes) > 1:
                view = view.without(axis)
        return replace(view, steps=(*steps,)) if steps else view

    def _check_inside(self, at: Token, token: Token, low: Amount, high: Amount, size: int) -> None:
        """Bounds that are known lie in the part that a name means, and not only in its buffer."""
        known = [bound for bound in (low, high) if isinstance(bound, int)]
        is_empty = isinstance(minus(high, low), int) and minus(high, low) <= 0
        if is_empty or any(not 0 <= bound <= size for bound in known):
            shown = ":".join(str(b) if isinstance(b, int) else "…" for b in (low, high))
            message = f"{shown} is no part of '{token.text}', which has {size} there"
            self.fail(message, at.location, f"'0:{size}' is all of it")

    def _cut(self, after_first: bool = False):
        """`low:high`, `low +: size`, `low:`, `:`, `place`, or `count by stride` as a pair."""
        start = self.next
        if self.accept(":"):
            return start, 0, None if self._at_end() else self.amount(), False
        low = self.amount()
        if self.next.kind == "+" and self.ahead == ":":
            self.take(), self.take()
            return start, low, plus(low, self.amount()), False
        if self.accept(":"):
            return start, low, None if self._at_end() else self.amount(), False
        if after_first and self.accept_word("by"):
            return start, (low, self.amount()), None, False
        if not self._at_end():
            if after_first:
                where = self.next.location
                self.fail(f"expected 'by' and a stride, found {self.next}", where, STRIDED)
            self.expect(":", "':' and the bound behind the last element", INTERVAL)
        return start, low, plus(low, 1), True

    def _at_end(self) -> bool:
        return self.next.kind in (",", "]")

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


def _axes(view: View) -> str:
    return f"{len(view.sizes)} {'axis' if len(view.sizes) == 1 else 'axes'}"
