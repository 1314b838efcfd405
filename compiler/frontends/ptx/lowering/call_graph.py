"""Which functions of a file a call may run, and which of them stand once in a kernel.

    call (r), f, (p);                    f
    call (r), %rd1, (p), prototype;      every function whose address is taken somewhere, and that
                                         has the results and parameters of the prototype
    call (r), %rd1, (p), targets;        those of the list

A function's address is a number that tells it from all others; 0 is nobody's.

Calls are inlined, but for those of functions that *recur* (they may call themselves, perhaps
through others), and of large ones that are called from many places or lie deep in calls: their
statements stand in the kernel once.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.lowering.assertions import ASSERTION_FAILED
from compiler.frontends.ptx.lowering.parameters import calls_in, uses_of, walk
from compiler.frontends.ptx.reading.tree import Call, Name, Prototype, Routine, Tree, Variable
from machines.diagnostics import nearest

BYTES_OF_CODE = 16
"""Between the addresses of two functions."""
MOST_COPIES = 2_000
"""Statements that copies of a function may have in a kernel, beside those of the first."""
DEEPEST = 40
"""Inlined calls in inlined calls."""


class CallGraph:
    """The calls of a file.

    addresses   of its functions, by name
    """

    def __init__(self, tree: Tree):
        self.tree = tree
        names = [name for name, routine in tree.routines.items() if not routine.is_kernel]
        self.addresses = {name: BYTES_OF_CODE * (1 + k) for k, name in enumerate(names)}
        for other, name in tree.aliases.items():
            if name.text in self.addresses:
                self.addresses[other] = self.addresses[name.text]
        self._reached: dict[str, set[str]] = {}
        self._forms = {
            id(call): form
            for routine in tree.routines.values()
            if routine.body is not None
            for call, form in _forms(routine)
        }
        self._taken: list[Routine] | None = None

    def callees(self, call: Call) -> list[Routine]:
        """The functions that a call may run; raises Refused if it can run none."""
        if call.form is not None:
            return self._through_register(call)
        name = call.callee.text
        callee = self.tree.routines.get(name)
        if callee is None:
            hint, follows = nearest(name, self.tree.routines), name in self.tree.broken
            message = f"there is no function '{name}'"
            if name.startswith("%"):
                message = f"the call through '{name}' does not say what it may call"
                hint = "a prototype or a list of functions stands behind its arguments"
            raise Refused(message, hint, at=call.callee.at, follows=follows)
        _check_body(callee)
        return [callee]

    def _through_register(self, call: Call) -> list[Routine]:
        form = self._forms[id(call)]
        if form is None:
            raise Refused(f"there is no prototype '{call.form.text}'", at=call.form.at)
        if form.functions is not None:
            found = [self._named(name) for name in form.functions]
        else:
            found = [one for one in self._address_taken() if _shape(one) == _shape(form)]
        if not found:
            message = "no function of this file whose address is taken has these parameters"
            raise unsupported(message, at=call.form.at)
        return found

    def _named(self, name: Name) -> Routine:
        name = self.tree.aliases.get(name.text, name)
        if name.text not in self.tree.routines:
            raise Refused(
                f"there is no function '{name.text}'",
                nearest(name.text, self.tree.routines),
                at=name.at,
            )
        _check_body(self.tree.routines[name.text])
        return self.tree.routines[name.text]

    def _address_taken(self) -> list[Routine]:
        """Functions that are named other than by being called, with their statements."""
        if self._taken is None:
            routines = self.tree.routines.values()
            bodies = [routine.body.statements for routine in routines if routine.body]
            variables = [*self.tree.variables.values()]
            variables += [s for body in bodies for s in walk(body) if isinstance(s, Variable)]
            named = {name for body in bodies for name in uses_of(body)}
            named |= {
                value.text for v in variables for value in v.data or () if isinstance(value, Name)
            }
            named = {self.tree.aliases[n].text if n in self.tree.aliases else n for n in named}
            self._taken = [one for one in routines if one.name in named and one.body is not None]
            self._taken = [one for one in self._taken if not one.is_kernel]
        return self._taken

    # ── who stands once ──────────────────────────────────────────────────────────────────────

    def shared(self, kernel: Routine) -> dict[str, bool]:
        """The functions that stand in a kernel once, and whether they recur."""
        routines = self.tree.routines
        found = {n: True for n in self.reached(kernel) if n in self.reached(routines[n])}
        copies, depths = {kernel.name: 1}, {kernel.name: 0}
        for name in self._callers_first(kernel):
            calls = {one: n for one in copies if (n := self._calls_of(one, name))}
            inlined = sum(copies[one] * n for one, n in calls.items())
            size = sum(1 for _ in walk(routines[name].body.statements))
            depth = 1 + max(depths[one] for one in calls)
            if name not in found and ((inlined - 1) * size > MOST_COPIES or depth > DEEPEST):
                found[name] = False
            copies[name], depths[name] = (1, 0) if name in found else (inlined, depth)
        return found

    def _calls_of(self, caller: str, name: str) -> int:
        calls = _calls(self.tree.routines[caller])
        return sum(name in (one.name for one in self.known(call)) for call in calls)

    def _callers_first(self, kernel: Routine) -> list[str]:
        """The functions that a kernel may run, each after those that call it, but in circles."""
        order: list[str] = []
        seen: set[str] = set()
        work: list[tuple[Routine, bool]] = [(kernel, False)]
        while work:
            routine, is_done = work.pop()
            if is_done:
                order.append(routine.name)
            elif routine.name not in seen:
                seen.add(routine.name)
                work.append((routine, True))
                work += [(r, False) for c in _calls(routine) for r in self.known(c)]
        return [name for name in reversed(order) if name != kernel.name]

    def reached(self, routine: Routine) -> set[str]:
        """The names of the functions that a routine may run, through others too."""
        if routine.name not in self._reached:
            found: set[str] = set()
            work = [routine]
            while work:
                caller = work.pop()
                for call in _calls(caller):
                    fresh = [r for r in self.known(call) if r.name not in found]
                    found.update(one.name for one in fresh)
                    work += fresh
            self._reached[routine.name] = found
        return self._reached[routine.name]

    def known(self, call: Call) -> list[Routine]:
        """As `callees`, nothing of a call that is refused."""
        try:
            return self.callees(call)
        except Refused:
            return []


def _forms(routine: Routine) -> Iterator[tuple[Call, Prototype | None]]:
    """The calls through registers, and what says which functions they may run."""
    statements = list(walk(routine.body.statements))
    known = {one.name: one for one in statements if isinstance(one, Prototype)}
    for call in statements:
        if isinstance(call, Call) and call.form is not None:
            yield call, known.get(call.form.text)


def _calls(routine: Routine) -> Iterator[Call]:
    return (c for c in calls_in(routine.body.statements) if c.callee.text != ASSERTION_FAILED)


def _check_body(routine: Routine) -> None:
    if routine.body is None:
        hint = "of the CUDA runtime there are printf, malloc, free and a grid's barrier"
        raise unsupported(f"'{routine.name}' is not defined in this file", hint)
    if routine.is_kernel:
        raise unsupported(f"'{routine.name}' is a kernel: it is launched, not called")


def _shape(routine: Routine | Prototype) -> tuple:
    """What has to be equal of a function and of the prototype that it is called by."""
    return tuple(
        tuple((one.space, one.bytes) for one in variables)
        for variables in (routine.results, routine.parameters)
    )
