"""What a workload says of a function of arrays beyond its arguments: how it is compiled, and the
memory in which it works.

    vectorize: {over: [x, y]}     with `rules: FILE` beside the workload, or `rules: none`
    allow: [unchecked]            what rewriting and lowering may change
    scratch: 64KiB                the arena, for what has to lie in memory, and for the result

The first two are options of the passes `vectorize` and `lower_graph`, whichever passes are asked
for; what a list of passes says itself goes before.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from machines.confinement import leads_out, outside
from machines.description.schema import Bytes
from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic, InputError, nearest
from machines.layout import WRITTEN_BYTES
from sim.forms import Form
from sim.levels import Binding, Keys

SCRATCH = 1 << 20
"""Bytes of the arena, where a workload does not say."""

Allowance = Literal["reassociate", "contract", "unchecked"]
Scratch = Annotated[Bytes, Field(le=WRITTEN_BYTES)]
Passes = str | list[Any]


class Vectorize(Form):
    """Over what a function is vectorized."""

    over: list[str] = Field(min_length=1, description="The parameters that differ between lanes.")
    rules: str = Field("", description="A file of rules beside the workload, or 'none'.")

    @property
    def file(self) -> str | None:
        """The file of rules, if there is one."""
        return self.rules if self.rules not in ("", "none") else None

    def options(self, folder: Path | None) -> dict[str, str]:
        """Those of the pass; without a folder the file of rules is called as the workload does."""
        rules = str(folder / self.file) if folder and self.file else self.rules
        return {"over": ",".join(self.over), **({"rules": rules} if rules else {})}


class ArrayKeys(Keys):
    """The keys of a workload."""

    vectorize: Vectorize | None = Field(
        None, description="Over which parameters a function of arrays is vectorized."
    )
    allow: list[Allowance] = Field(
        [], description="What compiling a function of arrays may change."
    )
    scratch: Scratch | None = Field(None, description="Memory in which a function of arrays works.")


def scratch_of(form: Form) -> int:
    """Bytes of the arena, of a workload with or without keys of the level."""
    return (form.scratch if isinstance(form, ArrayKeys) else None) or SCRATCH


def key_findings(form: ArrayKeys, tree: Node, folder: Path) -> list[Diagnostic]:
    """A finding where a file of rules is named that is not there."""
    file = form.vectorize.file if form.vectorize is not None else None
    if file is None:
        return []
    rules = tree.value["vectorize"].value["rules"]
    if leads_out(file, folder):
        return [rules.finding(outside(file))]
    if (folder / file).is_file():
        return []
    message = f"there is no file of rules {file} beside the workload"
    return [rules.finding(message, "'none' does without any")]


def passes_with(passes: Passes, form: ArrayKeys, tree: Node, folder: Path | None = None) -> Passes:
    """Passes with the options that a workload gives; raises InputError if they leave out one."""
    allow = {"allow": ",".join(form.allow)} if form.allow else {}
    given = {"vectorize": allow, "lower_graph": allow} if allow else {}
    if form.vectorize is not None:
        given["vectorize"] = {**form.vectorize.options(folder), **allow}
    entries = [passes] if isinstance(passes, str) else list(passes)
    if "default" in entries:
        at = entries.index("default") + 1
        more = [{name: options} for name, options in given.items()]
        return [*entries[:at], *more, *entries[at:]] if more else passes
    names = {name for entry in entries for name in ([entry] if isinstance(entry, str) else entry)}
    wanted = [name for name in given if name != "vectorize" or form.vectorize is not None]
    for name in [name for name in wanted if name not in names]:
        key = "vectorize" if name == "vectorize" else "allow"
        hint = "begin them with 'default', or name it"
        raise InputError(tree.finding(f"the passes leave out '{name}'", hint, key=key))
    return [_with_options(entry, given) for entry in entries]


def _with_options(entry: Any, given: Mapping[str, dict[str, str]]) -> Any:
    if isinstance(entry, str):
        return {entry: given[entry]} if entry in given else entry
    return {
        name: {**given[name], **(own or {})} if name in given and _are_options(own) else own
        for name, own in entry.items()
    }


def _are_options(written: Any) -> bool:
    """Whether what stands behind a pass are options, or nothing; the compiler refuses others."""
    return written is None or isinstance(written, Mapping)


def function_findings(tree: Node, function: Any) -> list[Diagnostic]:
    """What is wrong with the keys, for a function of arrays (a `compiler.ir.module.Function`);
    without one, the program is none."""
    if function is None:
        hint = "leave it out, or mark the function @function"
        message = "belongs to functions of arrays, and the program is none"
        keys = [key for key in ArrayKeys.model_fields if key in tree.value]
        return [tree.finding(f"'{key}' {message}", hint, key=key) for key in keys]
    parameters = list(function.body.parameters)
    written = tree.value["vectorize"].value["over"].value if tree.gives("vectorize") else []
    names = [node.value for node in written]
    twice = [node for k, node in enumerate(written) if node.value in names[:k]]
    return [node.finding(f"'{node.value}' is named twice", "once is enough") for node in twice] + [
        node.finding(
            f"the function has no parameter '{node.value}'", nearest(node.value, parameters)
        )
        for node in written
        if node.value not in parameters
    ]


BINDING = Binding(
    section=ArrayKeys,
    passes=passes_with,
    findings=key_findings,
    function_findings=function_findings,
    inputs=lambda form: form.scratch,
)
