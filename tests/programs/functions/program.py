"""Random programs of functions, each as text of the source language and, beside it, for a judge.

One tree is drawn and written twice: as `@function`s, and as Python that calls what judges.

Every variable that may fault is needed on every way (`Statements.rest`, `Statements.body`), so that
it does not matter whether what is assigned is computed where it stands or where it is needed.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from tests.programs import lane_judge
from tests.programs.functions.inputs import random_value
from tests.programs.functions.scope import Helper, Variable
from tests.programs.functions.statements import Statements
from tests.programs.functions.subset import ALL, Subset
from tests.programs.functions.text import Expression
from tests.programs.functions.types import NUMBERS, Type, array, is_array, is_ragged, shown

HEADER = "from compiler.kernel import boolean, f32, f64, function, i32, i64, sqrt, u32, u64\n"
FEATURES = """
abs; arithmetic; array aside; array parameter; arrays in loops; bitwise; bounded index; call; cast;
closure; compare; comprehension; comprehension if; comprehension nested 1; comprehension nested 2;
concatenation; division; enumerate; filter; flatten; for; gather; guarded division; guarded index;
if; index; iota; lambda; len; list; local; logic; make tuple; map; map of several; max; min; negate;
nested statement; not; part of call; ragged parameter; range; reduce; replicate; rows; scan;
scatter; scatter_add; select; several for; sqrt; sum; tuple parameter; tuple part; uniform
parameter; unsigned; while; zip
"""
FEATURES = tuple(name.strip() for name in FEATURES.replace("\n", " ").split(";"))


@dataclass(eq=False)
class Program:
    """Functions as text, and what they give.

    parameters  of the entry, with the types as text
    over        those that differ between lanes; the others are uniform
    features    the names of the constructs it uses
    types       of the parameters; `result` the entry's
    judged      the functions as Python that calls what judges
    lines       for each line of that, the line of the text that it stands for
    subset      what it was drawn from
    """

    text: str
    entry: str
    parameters: list[tuple[str, str]]
    over: list[str]
    features: set[str]
    types: dict[str, Type]
    result: Type
    judged: str
    lines: list[int]
    subset: Subset

    def inputs(self, seed: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The values of uniform parameters, and for every lane those of the others."""
        source = random.Random(f"inputs {seed}")
        form = source.choice(["any", "any", "any", "empty first and last", "all empty"])
        form = "any" if self.subset.is_regular else form

        def value(name: str, is_empty: bool) -> Any:
            return random_value(source, self.types[name], self.subset, is_empty)

        uniform = {
            name: value(name, form == "all empty" and i % 2 == 1)
            for i, (name, _) in enumerate(self.parameters)
            if name not in self.over
        }
        count = source.choice([0, 1, 2, 3, 4, 6])
        lanes = []
        for i in range(count):
            is_empty = form == "all empty" or (form != "any" and i in (0, count - 1))
            lanes.append({name: value(name, is_empty) for name in self.over})
        return uniform, lanes

    def arguments(self, values: dict[str, Any]) -> list[Any]:
        """By name to in order."""
        return [values[name] for name, _ in self.parameters]

    def by(self, judge: dict[str, Any]) -> Callable[..., Any]:
        """The entry as Python: what a judge's names make of it; its lines are the text's."""
        tree = ast.parse(self.judged)
        for node in ast.walk(tree):
            if hasattr(node, "lineno"):
                node.lineno = node.end_lineno = self.lines[node.lineno - 1]
        names = dict(judge)
        exec(compile(tree, lane_judge.JUDGED, "exec"), names)
        return names[self.entry]

    @cached_property
    def _of_one_lane(self) -> Callable[..., Any]:
        return self.by(lane_judge.NAMES)

    def judge(self, arguments: Sequence[Any]) -> Any:
        """What the entry gives for one lane, in plain numbers; or a Fault."""
        typed = zip(self.parameters, arguments, strict=True)
        held = [lane_judge.held(self.types[name], value) for (name, _), value in typed]
        return lane_judge.plain(self._of_one_lane(*held))


def random_program(seed: int, subset: Subset = ALL) -> Program:
    """The program of a seed."""
    source = random.Random(f"functions {seed}")
    features: set[str] = set()
    helpers: list[Helper] = []
    text, judged, lines = HEADER, [], []
    names = [f"helper{i}" for i in range(source.choice([0, 0, 1, 2]))] + ["main"]
    for name in names:
        size = source.randrange(12, 45) if name == "main" else source.randrange(4, 14)
        function = Statements(source, features, list(helpers), subset, size)
        parameters, result = _draw(function, name == "main")
        typed = ", ".join(f"{v.name}: {shown(v.type)}" for v in parameters)
        plain = ", ".join(v.name for v in parameters)
        head = f"@function\ndef {name}({typed}) -> {shown(result.type)}:"
        function.line(1, f"return {result.text}", f"return {result.judged}")
        text += "\n\n"
        first = f"{text}{head}\n".count("\n") + 1
        text += "\n".join([head, *function.text, ""])
        judged += [f"def {name}({plain}):", *(line for line, _ in function.judged)]
        lines += [first - 1, *(first + k for _, k in function.judged)]
        helpers.append(Helper(name, [v.type for v in parameters], result.type))
    over = [v.name for v in parameters if source.random() < 0.6]
    over = over or [source.choice(parameters).name]
    if len(over) < len(parameters):
        features.add("uniform parameter")
    return Program(
        text=text,
        entry="main",
        parameters=[(v.name, shown(v.type)) for v in parameters],
        over=over,
        features=features,
        types={v.name: v.type for v in parameters},
        result=result.type,
        judged="\n".join(judged),
        lines=lines,
        subset=subset,
    )


def _draw(function: Statements, is_main: bool) -> tuple[list[Variable], Expression]:
    """A function's parameters and result; its statements are in its text."""
    count = function.pick(*([1, 2, 3, 3, 4] if is_main else [1, 2, 2]))
    types = [_parameter(function) for _ in range(count)]
    parameters = [Variable(function.name("a"), type, needed=is_main) for type in types]
    if any(is_array(type) for type in types):
        function.features.add("array parameter")
    if any(is_ragged(type) for type in types):
        function.features.add("ragged parameter")
    function.declare(*parameters)
    for _ in range(function.pick(*([0, 1, 2, 3] if is_main else [0, 0, 1]))):
        if function.budget > 0:
            function.statement(1)
    return parameters, function.rest(function.of(function.any(2), 4))


def _parameter(function: Statements) -> Type:
    kind = function.random.random()
    scalar = function.pick(*NUMBERS)
    if kind > 0.86:
        function.features.add("tuple parameter")
        pair = ("tuple", scalar, function.pick(*NUMBERS, "boolean", array("f32")))
        return pair if kind > 0.93 else array(pair)
    return scalar if kind < 0.4 else array(scalar) if kind < 0.7 else array(array(scalar))


def pairs_covered(seeds: Sequence[int]) -> tuple[float, set[tuple[str, str]]]:
    """Of all pairs of features, the part that some program has; and the pairs none has."""
    found: set[tuple[str, str]] = set()
    for seed in seeds:
        found.update(combinations(sorted(random_program(seed).features), 2))
    wanted = set(combinations(sorted(FEATURES), 2))
    return len(found & wanted) / len(wanted), wanted - found
