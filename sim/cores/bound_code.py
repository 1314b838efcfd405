"""Code that is made for one program: functions in LLVM's IR that put pieces of a library together.

    text = BoundText(state, buffer)             # arrays of the state are constants, or have places
    function = text.function("go", ["cycle"])   # i64 go(table, until), with a variable
    cycle = function.load("cycle")
    function.store("cycle", function.use("step", 17, cycle))
    function.give(0)
    code = bound(str(text), library)

Pieces are written once, for every program (see `sim.cores.jit.piece`).  Where they are given
constants, LLVM copies only what remains of them.  Each use of a piece is a function of its own,
private, which is simplified by itself before it is put in: what LLVM does in one function of
thousands of pieces grows faster than its length.  Where code is long, one that stays apart and is
called from many places takes less room than each of them would.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import llvmlite.binding as llvm
import numpy as np

from sim.cores.addresses import places_of
from sim.cores.host import PIECE, host

Word = int | str
"""A constant, or the name of a value."""
USE, APART = "use_{}", "apart_{}"
"""Names of functions that use a piece: of those put into their callers, and of others."""
METADATA = (
    "!0 = !{}",
    '!1 = !{!"branch_weights", i32 1000, i32 1}',
    '!2 = !{!"branch_weights", i32 1, i32 1000}',
)
STATE = "ptr %arena, ptr @places, ptr %table"


class BoundText:
    """A module of functions that work on one state, and on others of the same constants and
    places."""

    def __init__(self, state: NamedTuple, buffer: np.ndarray):
        """`buffer`: the arena that the state is in."""
        places = iter(places_of(state, buffer))
        words: list[str] = []
        self.constants = [*_constants(state, "", places, words)]
        self.places = f"@places = private constant [{len(words)} x i64] [{', '.join(words)}]"
        self.arena_word = 2 * len(words)
        self.functions: list[BoundFunction] = []
        self._uses: dict[tuple[Word | None, ...], tuple[str, int]] = {}

    def function(self, name: str, variables: Sequence[str]) -> BoundFunction:
        """A C function of a table and a number, "%until", with variables of 64 bits."""
        self.functions.append(BoundFunction(self, name, variables))
        return self.functions[-1]

    def use_of(self, piece: str, words: Sequence[Word], results: int, name: str = USE) -> str:
        """The name of the function that uses a piece with these constants."""
        key = (piece, *(word if isinstance(word, int) else None for word in words))
        found, _ = self._uses.setdefault(key, (name.format(len(self._uses)), results))
        return found

    def __str__(self) -> str:
        lines = [*self.constants, self.places]
        pieces = {}
        for (piece, *words), (use, results) in self._uses.items():
            result = _type_of(results)
            names = [f"%w{k}" if word is None else word for k, word in enumerate(words)]
            taken = "".join(f", i64 {name}" for name in names if isinstance(name, str))
            given = "".join(f", i64 {name}" for name in names)
            lines += [
                f"define private {result} @{use}(ptr %arena, ptr %table{taken}) {{",
                f"  %result = call {result} @{PIECE.format(piece)}({STATE}{given})",
                f"  ret {result} %result",
                "}",
            ]
            pieces[piece] = result, ", ".join(["ptr"] * 3 + ["i64"] * len(words))
        lines += [f"declare {result} @{PIECE.format(name)}({given})"
                  for name, (result, given) in pieces.items()]  # fmt: skip
        lines += [line for function in self.functions for line in function.text()]
        return "\n".join([*lines, *METADATA, ""])


class BoundFunction:
    """One function, from its first line to its last."""

    def __init__(self, module: BoundText, name: str, variables: Sequence[str]):
        self.module, self.name = module, name
        self.lines = [
            f"define i64 @{name}(i64 %at, i64 %until) {{",
            "  %table = inttoptr i64 %at to ptr",
            f"  %last = getelementptr i64, ptr %table, i64 {module.arena_word}",
            "  %arena = load ptr, ptr %last, !invariant.load !0",
            *(f"  %{variable} = alloca i64" for variable in variables),
        ]
        self._values = 0

    def _is(self, what: str) -> str:
        self._values += 1
        name = f"%v{self._values}"
        self.lines.append(f"  {name} = {what}")
        return name

    def load(self, variable: str) -> str:
        return self._is(f"load i64, ptr %{variable}")

    def store(self, variable: str, value: Word) -> None:
        self.lines.append(f"  store i64 {value}, ptr %{variable}")

    def add(self, value: Word, other: Word) -> str:
        return self._is(f"add i64 {value}, {other}")

    def use(self, piece: str, *words: Word) -> str:
        """What a piece gives that gives one number."""
        return self._used(piece, words, 1)

    def call(self, piece: str, *words: Word) -> str:
        """The same of a piece that is called; "17" is a number that is no constant there."""
        return self._used(piece, words, 1, APART)

    def use_many(self, piece: str, results: int, *words: Word) -> list[str]:
        """What a piece gives that gives several."""
        found = self._used(piece, words, results)
        return [self._is(f"extractvalue [{results} x i64] {found}, {k}") for k in range(results)]

    def call_many(self, piece: str, results: int, *words: Word) -> list[str]:
        """The same of a piece that is called."""
        found = self._used(piece, words, results, APART)
        return [self._is(f"extractvalue [{results} x i64] {found}, {k}") for k in range(results)]

    def _used(self, piece: str, words: Sequence[Word], results: int, name: str = USE) -> str:
        use = self.module.use_of(piece, words, results, name)
        given = "".join(f", i64 {word}" for word in words if not isinstance(word, int))
        return self._is(f"call {_type_of(results)} @{use}(ptr %arena, ptr %table{given})")

    def compare(self, value: Word, relation: str, other: Word) -> str:
        """A truth value: `relation` is eq, ne, slt, sle, …"""
        return self._is(f"icmp {relation} i64 {value}, {other}")

    def both(self, one: str, other: str) -> str:
        return self._is(f"and i1 {one}, {other}")

    def label(self, label: str) -> None:
        self.lines.append(f"{label}:")

    def branch(self, condition: str, if_true: str, if_false: str, often: str = "") -> None:
        """`often`: the label that is gone to most of the time; LLVM puts the other out of the
        way."""
        weights = {"": "", if_true: ", !prof !1", if_false: ", !prof !2"}[often]
        self.lines.append(f"  br i1 {condition}, label %{if_true}, label %{if_false}{weights}")

    def jump(self, label: str) -> None:
        self.lines.append(f"  br label %{label}")

    def choose(self, value: str, labels: dict[int, str], other: str) -> None:
        cases = " ".join(f"i64 {number}, label %{label}" for number, label in labels.items())
        self.lines.append(f"  switch i64 {value}, label %{other} [ {cases} ]")

    def give(self, value: Word) -> None:
        self.lines.append(f"  ret i64 {value}")

    def never(self) -> None:
        """Nothing comes here."""
        self.lines.append("  unreachable")

    def text(self) -> list[str]:
        return [*self.lines, "}"]


def bound(text: str, library: bytes) -> bytes:
    """An object file with the public functions of a text that uses the library's pieces."""
    context = llvm.create_context()  # LLVM keeps constants as long as the context they are in
    module, pieces = llvm.parse_assembly(text, context), llvm.parse_bitcode(library, context)
    _check_types(module, pieces)
    defined = [function for function in module.functions if not function.is_declaration]
    uses = {function.name for function in defined if function.linkage == llvm.Linkage.private}
    public = {function.name for function in defined} - uses
    apart = {name for name in uses if name.startswith(APART.format(""))}
    module.link_in(pieces)
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = llvm.Linkage.internal
    for function in module.functions:
        is_own = not function.is_declaration and function.name not in public
        if is_own and function.linkage != llvm.Linkage.available_externally:
            function.linkage = llvm.Linkage.internal
    builder = llvm.create_pass_builder(host(), llvm.create_pipeline_tuning_options(speed_level=1))
    inline = llvm.create_new_module_pass_manager()
    inline.add_always_inliner_pass()
    inline.add_global_dead_code_eliminate_pass()
    simplify = llvm.create_new_module_pass_manager()
    simplify.add_sroa_pass()
    simplify.add_instruction_combine_pass()
    simplify.add_simplify_cfg_pass()
    inline.run(module, builder)
    simplify.run(module, builder)
    for name in uses:
        attribute = "noinline" if name in apart else "alwaysinline"
        module.get_function(name).add_function_attribute(attribute)
    inline.run(module, builder)
    for name in public | apart:
        builder.getFunctionPassManager().run(module.get_function(name), builder)
    if any(function.name == "llvm.trap" for function in module.functions):
        raise AssertionError("a piece may raise an exception, which nobody would see")
    return host().emit_object(module)


def _check_types(module: llvm.ModuleRef, pieces: llvm.ModuleRef) -> None:
    """LLVM would link a call to a function of another type without a word."""
    for function in module.functions:
        if function.is_declaration:
            found = str(pieces.get_function(function.name).global_value_type)
            if str(function.global_value_type) != found:
                raise AssertionError(f"{function.name} is not used as what it is: {found}")


def _type_of(results: int) -> str:
    return "i64" if results == 1 else f"[{results} x i64]"


def _constants(
    state: NamedTuple, prefix: str, places: Iterator[int], words: list[str]
) -> Iterator[str]:
    """The constant arrays of a state; `words` becomes the places of all."""
    kind = type(state)
    for name, value in state._asdict().items():
        if not isinstance(value, np.ndarray):
            yield from _constants(value, f"{prefix}{name}.", places, words)
            continue
        place = next(places)
        if name in kind.CONSTANT:
            content = "".join(f"\\{byte:02X}" for byte in value.tobytes())
            kept = f'private constant [{value.nbytes} x i8] c"{content}", align 16'
            yield f"@{prefix}{name} = {kept}"
            words.append(f"i64 ptrtoint (ptr @{prefix}{name} to i64)")
        else:  # who is outside is looked up
            words.append(f"i64 {0 if name in kind.OUTSIDE else place}")
        if value.ndim > 1:
            words.extend(f"i64 {next(places)}" for _ in range(value.ndim))
