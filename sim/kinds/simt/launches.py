"""What a workload writes of the host of a SIMT machine: launches, copies, loops of them, streams.

    launch: {grid: [4096], block: [256]}                       # the entry, once
    launches:                                                  # or several steps
      - {kernel: sums, grid: [64], block: [256], arguments: [data, partial, n]}
      - {kernel: level, grid: [8], block: [256], arguments: [graph, depth, step, changed],
         repeat: {most: 64, while: changed}}                   # one launch, again and again
      - repeat: {times: "n - 1", swap: [old, new]}             # several, as a loop of the host
        steps:
          - {kernel: scale, grid: ["(n - step + 255) // 256"], block: [256], arguments: [old, step]}
          - {kernel: relax, grid: [64], block: [256], arguments: [old, new, n]}
      - {copy: data, to: host, stream: 1}

Steps of a stream follow each other; streams run side by side.  `host_program.py` does them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from keyword import iskeyword
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from machines.description.schema import Bytes
from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic, InputError, nearest
from machines.threads.grid import MOST_BLOCKS, MOST_THREADS
from machines.threads.spaces import MOST_CLUSTER
from sim.forms import Form
from sim.kinds import Section, Steps
from sim.kinds.simt.launch_values import Names, Number, read_number, read_value
from sim.workload.expressions import CONSTANTS
from sim.workload.inputs import shown
from sim.workload.values import is_array

STEP = "step"
"""The counter of a loop unless it has a name of its own: the repetition's number, from 0."""
MOST_REPETITIONS = 1_000_000
DEEPEST_LOOPS = 8
EXTENTS = (("grid", "[4096]", MOST_BLOCKS), ("block", "[256]", MOST_THREADS))
"""The extents of a launch: how they are written, and the largest along x, y and z."""
CLUSTER = ("cluster", "[2]", (MOST_CLUSTER,) * 3)
"""Those that may be left out."""


def _extents(written: Any) -> list[int | str]:
    extents = written if isinstance(written, list) else [written]
    if not 1 <= len(extents) <= 3 or not all(
        isinstance(e, str) or (type(e) is int and e >= 1) for e in extents
    ):
        raise ValueError("is one to three positive integers or expressions, like [64, 2]")
    return extents


def _repetitions(written: Any) -> int | str:
    if not isinstance(written, str) and type(written) is not int:
        raise ValueError("is an integer or an expression")
    return written


Extents = Annotated[list[int | str], BeforeValidator(_extents)]
Repetitions = Annotated[int | str, BeforeValidator(_repetitions)]


class Repeat(Form):
    """How often steps are done again."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    times: Repetitions | None = Field(None, description="Exactly so often.")
    most: Repetitions | None = Field(None, description="At most so often; 'while' or 'until_same'.")
    flag: str | None = Field(
        None,
        alias="while",
        description="An array: cleared before each repetition, and again while it is not all zero.",
    )
    until_same: str | None = Field(
        None, description="An array: again until a repetition leaves it as it was."
    )
    counter: str = Field(STEP, alias="as", description="What the repetition's number is called.")
    swap: list[str] | list[list[str]] = Field(
        [], description="Arrays that change places after each repetition: [old, new]."
    )


class StepForm(Form):
    """One launch or copy, or a loop of steps."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    kernel: str | None = Field(None, description="The kernel to launch; the entry if left out.")
    grid: Extents | None = Field(None, description="Blocks along x, y, z.")
    block: Extents | None = Field(None, description="Threads of a block along x, y, z.")
    cluster: Extents | None = Field(None, description="Blocks of a cluster along x, y, z.")
    shared: Bytes = Field(0, ge=0, description="Dynamic shared memory of a block.")
    cooperative: bool = Field(
        False, description="The blocks may wait for each other: all are resident at once."
    )
    arguments: list[Any] | None = Field(
        None, description="What the parameters get, in their order."
    )
    repeat: Repeat | None = Field(None, description="Do it again.")
    steps: list[StepForm] | None = Field(None, description="With 'repeat': what is repeated.")
    stream: int = Field(0, ge=0, description="Steps of one stream follow each other.")
    transfer: str | None = Field(None, alias="copy", description="An array to copy.")
    to: Literal["device", "host"] | None = Field(None, description="Where the copy goes.")


class LaunchSection(Section):
    """Keys of a workload that say what the host does."""

    launch: StepForm | None = Field(None, description="On a simt machine: the only launch.")
    launches: list[StepForm] | None = Field(
        None, description="On a simt machine: what the host does, launches and copies in order."
    )

    def steps(self, holder: Node) -> Steps:
        """The launches and copies of the workload or of one variant, each with its node."""
        if self.launch is not None:
            return ((holder.value["launch"], self.launch),)
        written = holder.value["launches"].value if self.launches else ()
        own = tuple(zip(written, self.launches or (), strict=True))
        return own or super().steps(holder)

    def step_findings(self, holder: Node, arguments: Mapping[str, Node]) -> Iterator[Diagnostic]:
        """Findings in launches and copies beyond their keys' types."""
        if self.launch is not None and self.launches is not None:
            message = "'launch' and 'launches' exclude each other"
            yield holder.finding(message, "leave out one", key="launch")
            return
        for node, step in self.steps(holder):
            if isinstance(step, StepForm):
                yield from step_findings(node, step, Names(arguments))
        if self.launch is not None and (self.launch.transfer or self.launch.steps) is not None:
            hint = "launches: [{copy: …}]"
            yield holder.finding("'launch' is one launch", hint, key="launch")
        yield from super().step_findings(holder, arguments)


_OF_LAUNCHES = ("kernel", "grid", "block", "cluster", "shared", "cooperative", "arguments")


def kernels_of(form: StepForm) -> Iterator[str]:
    """The kernels that a step and the steps in it name."""
    if form.kernel is not None:
        yield form.kernel
    for inner in form.steps or ():
        yield from kernels_of(inner)


def swaps_of(repeat: Repeat) -> list[list[str]]:
    """The rings of arrays that change places."""
    groups = repeat.swap
    return [list(groups)] if groups and isinstance(groups[0], str) else [list(g) for g in groups]


def step_findings(node: Node, form: StepForm, names: Names, depth: int = 0) -> Iterator[Diagnostic]:
    """What is wrong in a step beyond its keys' types, as far as the workload alone tells."""
    if depth and node.gives("stream"):
        yield node.finding("a loop belongs to one stream", "say it at the loop", key="stream")
    if form.repeat is not None:
        yield from _repeat_findings(node.value["repeat"], form.repeat, names)
        names = names.with_counter(form.repeat.counter)
    if form.steps is not None:
        yield from _loop_findings(node, form, names, depth)
    elif form.transfer is not None:
        yield from _copy_findings(node, form, names)
    else:
        yield from _launch_findings(node, form, names)


def _loop_findings(node: Node, form: StepForm, names: Names, depth: int) -> Iterator[Diagnostic]:
    for key in (key for key in (*_OF_LAUNCHES, "copy", "to") if node.gives(key)):
        yield node.finding(f"a loop has no '{key}'", "write it in its steps", key=key)
    if form.repeat is None:
        yield node.finding("'steps' stand in a loop", "repeat: {times: 10}", key="steps")
    if not form.steps:
        yield node.finding("a loop has steps", key="steps")
    if depth >= DEEPEST_LOOPS:
        yield node.finding(f"loops are nested deeper than {DEEPEST_LOOPS}", key="steps")
        return
    for step, inner in zip(node.value["steps"].value, form.steps, strict=True):
        yield from step_findings(step, inner, names, depth + 1)


def _copy_findings(node: Node, form: StepForm, names: Names) -> Iterator[Diagnostic]:
    for key in (key for key in (*_OF_LAUNCHES, "repeat") if node.gives(key)):
        yield node.value[key].finding(f"a copy has no '{key}'", "leave it out")
    if form.to is None:
        yield node.finding("a copy says where it goes", "to: device, or to: host", key="copy")
    yield from _no_array(node.value["copy"], form.transfer, names)


def _launch_findings(node: Node, form: StepForm, names: Names) -> Iterator[Diagnostic]:
    if form.to is not None:
        yield node.value["to"].finding("only a copy goes somewhere", "leave 'to' out")
    for key, example, most in (*EXTENTS, CLUSTER):
        extents = getattr(form, key)
        if extents is None and key == CLUSTER[0]:
            continue
        if extents is None:
            yield node.finding(f"a launch needs '{key}'", f"{key}: {example}")
            continue
        numbers = [one if isinstance(one, int) else 1 for one in extents]
        if any(one > limit for one, limit in zip(numbers, most, strict=False)):
            hint = f"at most {', '.join(map(str, most))} along x, y, z"
            yield node.value[key].finding(f"'{key}' is too large", hint)
        for extent in extent_nodes(node.value[key]):
            yield from _unreadable(extent, names, read_number)
    if form.arguments is not None:
        for argument in node.value["arguments"].value:
            yield from _unreadable(argument, names, read_value)


def extent_nodes(node: Node) -> list[Node]:
    """The extents that stand at 'grid' or 'block'."""
    return node.value if isinstance(node.value, list) else [node]


def _unreadable(node: Node, names: Names, read: Any) -> list[Diagnostic]:
    try:
        read(node, names)
    except InputError as error:
        return error.diagnostics
    return []


def _repeat_findings(node: Node, repeat: Repeat, names: Names) -> Iterator[Diagnostic]:
    conditions = [key for key in ("while", "until_same") if node.gives(key)]
    if repeat.times is None and repeat.most is None:
        yield node.finding("how often is not said", "{times: 10}, or {most: 64, while: changed}")
    elif repeat.times is not None and (repeat.most is not None or conditions):
        hint = "with 'while' or 'until_same' write 'most'"
        yield node.finding("'times' says it all", hint, key="times")
    elif repeat.most is not None and not conditions:
        yield node.finding("'most' goes with 'while' or 'until_same'", "write 'times'", key="most")
    elif len(conditions) > 1:
        yield node.finding("there is one condition", f"leave out '{conditions[1]}'")
    for key in (key for key in ("times", "most") if node.gives(key)):
        given = node.value[key]
        least = 0 if key == "times" else 1
        if type(given.value) is int and not least <= given.value <= MOST_REPETITIONS:
            yield given.finding(f"'{key}' is {given.value}", f"from {least} to {MOST_REPETITIONS}")
        yield from _unreadable(given, names, read_number)
    for key in conditions:
        yield from _no_array(node.value[key], node.value[key].value, names)
    counter = node.value.get("as", node)
    if not is_counter_name(repeat.counter):
        yield counter.finding(f"{shown(repeat.counter)} is no name", "as: level")
    elif repeat.counter in names.arguments:
        message = f"'{repeat.counter}' is the number of a repetition, and no argument"
        yield names.arguments[repeat.counter].finding(message, "give it another name")
    elif repeat.counter in names.counters:
        message = f"a loop around counts '{repeat.counter}' already"
        yield node.finding(message, "give this one a name: as: inner")
    yield from _swap_findings(node, repeat, names)


def is_counter_name(text: str) -> bool:
    """Whether an expression can name it."""
    return text.isidentifier() and not iskeyword(text) and text not in CONSTANTS


def _swap_findings(node: Node, repeat: Repeat, names: Names) -> Iterator[Diagnostic]:
    if not repeat.swap:
        return
    written = node.value["swap"]
    groups = [written] if isinstance(repeat.swap[0], str) else written.value
    seen: set[str] = set()
    for group in groups:
        if len(group.value) < 2:
            yield group.finding("two arrays or more change places", "swap: [old, new]")
        for array in group.value:
            yield from _no_array(array, array.value, names)
            if array.value in seen:
                yield array.finding(f"'{array.value}' changes places twice")
            seen.add(array.value)


def _no_array(node: Node, name: str, names: Names) -> Iterator[Diagnostic]:
    """What is wrong where an array must be named."""
    if name not in names.arguments:
        message = f"there is no argument '{name}'"
        yield node.finding(message, nearest(name, names.arguments))
    elif not is_array(names.arguments[name]):
        is_number = isinstance(names.arguments[name].value, bool | int | float)
        what = "a number" if is_number else "no array"
        yield node.finding(f"'{name}' is {what}", "name an array")


def read_extents(node: Node, names: Names) -> tuple[Number, ...]:
    """The extents of a launch, as numbers."""
    return tuple(read_number(extent, names) for extent in extent_nodes(node))
