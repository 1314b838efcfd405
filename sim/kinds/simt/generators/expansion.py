"""A workload of what a generator left, as one of the PTX in it.

    program: cache/E6586F8B                     program: cache/E6586F8B/softmax.ptx
    launch: {grid: [8]}                   →     launch: {kernel: softmax, grid: [8], block: [128],
    arguments: {x: …, y: …, n: 300}                shared: 16, arguments: [x, y, n, null, null]}

with conditions at the arguments (`{value: n, multiple_of: 16}`), which are checked when the launch
is.  Everything else stays where it stands, and findings point to it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic, InputError, nearest
from sim.kinds.simt.generators import Generator, generators, that_left
from sim.kinds.simt.generators.kernel import GeneratedKernel, Parameter

LAUNCH, LAUNCHES = "launch", "launches"
SCRATCH = "global_scratch"
"""The argument that is memory which kernels want beside their parameters."""


def expanded(tree: Node, folder: Path) -> Node:
    """A workload's tree with its program's PTX; as it is, if no generator left the program.

    Raises InputError with every finding.
    """
    program = tree.value.get("program") if isinstance(tree.value, dict) else None
    if program is None or not isinstance(program.value, str):
        return tree
    path = folder / program.value
    generator = that_left(path)
    if generator is None and path.is_dir():
        message = f"{program.value} is a folder, in which no generator left a program"
        hint = f"generators are {', '.join(generators())}; else name a file"
        raise InputError(program.finding(message, hint))
    if generator is None:
        return tree
    found = generator.part("kernels")(path)
    if not found:
        message = f"{program.value} has no kernel of {generator.name}"
        raise InputError(program.finding(message))
    return _Workload(generator, found, tree, program, path).expanded()


class _Workload:
    """The workload while it is expanded."""

    def __init__(
        self,
        generator: Generator,
        kernels: list[GeneratedKernel],
        tree: Node,
        program: Node,
        path: Path,
    ):
        self.generator, self.kernels, self.tree, self.program = generator, kernels, tree, program
        self.path = path
        self.used: list[GeneratedKernel] = []
        self.findings: list[Diagnostic] = []
        self.scratch = 0

    def expanded(self) -> Node:
        tree = self._with_steps(self.tree, self.tree)
        variants = tree.value.get("variants")
        if variants is not None and isinstance(variants.value, dict):
            changed = {
                name: self._with_steps(one, self.tree) for name, one in variants.value.items()
            }
            tree = _with(tree, {"variants": replace(variants, value=changed)})
        if self.findings:
            raise InputError(self.findings)
        tree = self._with_scratch(tree)
        files = dict.fromkeys(one.program for one in self.used)
        if len(files) > 1:
            names = ", ".join(self._place(one) for one in self.used)
            message = f"the launches name kernels of several files: {names}"
            raise InputError(self.program.finding(message, "one workload runs one of them"))
        if not files:
            return tree
        named = f"{self.program.value}/{files.popitem()[0].relative_to(self.path).as_posix()}"
        if self.path.is_file():
            named = self.program.value
        return _with(tree, {"program": replace(self.program, value=named), **self._entry(tree)})

    def _with_scratch(self, tree: Node) -> Node:
        """The workload with an argument more, if a kernel wants memory beside its parameters."""
        if not self.scratch:
            return tree
        own = {"dtype": "u8", "shape": [self.scratch], "value": 0}
        arguments = tree.value.get("arguments", _made({}, tree))
        if SCRATCH in arguments.value:
            message = f"'{SCRATCH}' is memory that the kernel wants for itself"
            raise InputError(arguments.value[SCRATCH].finding(message, "choose another name"))
        more = _with(arguments, {SCRATCH: _made(own, self.program)})
        return _with(tree, {"arguments": more})

    def _entry(self, tree: Node) -> dict[str, Node]:
        """The entry by its name in the PTX; it may be left out."""
        entry = tree.value.get("entry")
        if entry is None or not isinstance(entry.value, str):
            return {}
        own = next((one for one in self.kernels if entry.value in (one.name, one.entry)), None)
        return {} if own is None else {"entry": replace(entry, value=own.entry)}

    def _with_steps(self, holder: Node, tree: Node) -> Node:
        """The workload, or a variant, with its launches as PTX wants them."""
        if not isinstance(holder.value, dict):
            return holder
        arguments = {**_mapping(tree, "arguments"), **_mapping(holder, "arguments")}
        changed = {}
        for key in (LAUNCH, LAUNCHES):
            if key in holder.value:
                changed[key] = self._step(holder.value[key], arguments)
        return _with(holder, changed)

    def _step(self, node: Node, arguments: Mapping[str, Node]) -> Node:
        """A launch, or several, or loops with such in them."""
        if isinstance(node.value, list):
            return replace(node, value=[self._step(one, arguments) for one in node.value])
        if not isinstance(node.value, dict) or "copy" in node.value:
            return node
        if "steps" in node.value:
            return _with(node, {"steps": self._step(node.value["steps"], arguments)})
        try:
            return self._launch(node, arguments)
        except InputError as error:
            self.findings += error.diagnostics
            return node

    def _launch(self, node: Node, arguments: Mapping[str, Node]) -> Node:
        kernel = self._kernel(node)
        self.used.append(kernel)
        if _lists_all(node, kernel):
            return _with(node, {"kernel": _made(kernel.entry, node)})
        written = self._arguments(node, kernel, arguments)
        changes: dict[str, Node] = {"kernel": _made(kernel.entry, node)}
        before = list(kernel.before)
        if kernel.extents is not None:
            plain = {key: one.plain() for key, one in node.value.items()}
            try:
                extents, first = kernel.extents(plain)
            except ValueError as error:
                raise InputError(node.finding(str(error))) from None
            changes |= {key: _made(value, node) for key, value in extents.items()}
            before += first
            node = replace(
                node, value={k: v for k, v in node.value.items() if k not in ("dim", "tiles")}
            )
        self._check_block(node, kernel)
        if kernel.block is not None:
            changes["block"] = _made(list(kernel.block), node)
        if kernel.shared and "shared" not in node.value:
            changes["shared"] = _made(f"{kernel.shared} B", node)
        all_of_them = [_made(one, node) for one in before] + written
        all_of_them += [_made(one, node) for one in self._after(node, kernel)]
        changes["arguments"] = _made(all_of_them, node)
        return _with(node, changes)

    def _after(self, node: Node, kernel: GeneratedKernel) -> list[Any]:
        """The values behind the parameters; of scratch memory blocks have their own."""
        if not kernel.scratch:
            return list(kernel.after)
        grid = node.value.get("grid")
        plain = grid.plain() if grid is not None else [1]
        extents = plain if isinstance(plain, list) else [plain]
        if not all(type(one) is int for one in extents):
            message = f"'{kernel.name}' wants {kernel.scratch} bytes of memory for each block"
            hint = "write the grid in numbers, so that it is known how much that is"
            raise InputError(grid.finding(message, hint))
        self.scratch = max(self.scratch, kernel.scratch * math.prod(extents))
        return [SCRATCH, *kernel.after[1:]]

    def _kernel(self, node: Node) -> GeneratedKernel:
        """The kernel that a launch means; raises InputError."""
        blamed = node.value.get("kernel") or self.tree.value.get("entry") or self.program
        name = blamed.value if blamed is not self.program else None
        found = [one for one in self.kernels if name is None or name in (one.name, one.entry)]
        if len(found) == 1 and found[0].refused:
            message = f"'{found[0].name}' wants {found[0].refused}"
            hint = f"program: {found[0].program.name}, and a launch that says it all"
            raise InputError(blamed.finding(message, hint))
        if len(found) == 1:
            return found[0]
        known = "; ".join(self._place(one) for one in (found or self.kernels)[:8])
        if not found:
            near = nearest(str(name), {one.name: None for one in self.kernels})
            raise InputError(blamed.finding(f"there is no kernel '{name}'", f"{near}: {known}"))
        message = f"{self.program.value} has {len(found)} kernels"
        if len({one.name for one in found}) > 1:
            hint = f"kernel: NAME says which: {known}"
        else:
            hint = f"name the folder of one: {known}"
        raise InputError(blamed.finding(message, hint))

    def _place(self, kernel: GeneratedKernel) -> str:
        made_for = f" ({kernel.made_for})" if kernel.made_for else ""
        return f"{kernel.name} in {kernel.program.parent.name}/{kernel.program.name}{made_for}"

    def _check_block(self, node: Node, kernel: GeneratedKernel) -> None:
        """Raises InputError if a launch says another block than the kernel was compiled for."""
        given = node.value.get("block")
        if given is None or kernel.block is None:
            return
        plain = given.plain()
        extents = tuple(plain) if isinstance(plain, list) else (plain,)
        if _full(extents) != _full(kernel.block):
            own = ", ".join(map(str, kernel.block))
            message = f"'{kernel.name}' was compiled for blocks of [{own}]"
            raise InputError(given.finding(message, "leave 'block' out"))

    def _arguments(
        self, node: Node, kernel: GeneratedKernel, arguments: Mapping[str, Node]
    ) -> list[Node]:
        """What the parameters of the source get, as those of the PTX do."""
        given = node.value.get("arguments")
        if given is not None and not isinstance(given.value, list | dict):
            raise InputError(given.finding("a list, or a mapping from parameters, is wanted"))
        if given is not None and isinstance(given.value, list):
            pairs = self._in_order(given, kernel)
        else:
            by_name = given.value if given is not None else None
            pairs = self._by_name(node, kernel, arguments, by_name)
        written: list[Node] = []
        findings: list[Diagnostic] = []
        for parameter, one in pairs:
            named = one.value if isinstance(one.value, str) else None
            axes = axes_of(arguments[named]) if named in arguments else None
            try:
                values = parameter.written(one.plain(), axes)
            except ValueError as error:
                findings.append(one.finding(str(error)))
                continue
            written += [_made(value, one) for value in values]
        if findings:
            raise InputError(findings)
        return written

    def _in_order(self, given: Node, kernel: GeneratedKernel) -> list[tuple[Parameter, Node]]:
        if len(given.value) != len(kernel.parameters):
            message = (
                f"'{kernel.name}' takes {len(kernel.parameters)} arguments, not {len(given.value)}"
            )
            raise InputError(given.finding(message, f"its parameters: {_listed(kernel)}"))
        return list(zip(kernel.parameters, given.value, strict=True))

    def _by_name(
        self,
        node: Node,
        kernel: GeneratedKernel,
        arguments: Mapping[str, Node],
        given: Mapping[str, Node] | None,
    ) -> list[tuple[Parameter, Node]]:
        """Each parameter with the argument of its name, or the next one where it has none."""
        if given is None and any(one.name is None for one in kernel.parameters):
            names = list(arguments)
            if len(names) != len(kernel.parameters):
                message = (
                    f"'{kernel.name}' takes {len(kernel.parameters)} arguments, the workload has"
                    f" {len(names)}"
                )
                raise InputError(node.finding(message, f"its parameters: {_listed(kernel)}"))
            places = [Node(name, arguments[name].location, arguments[name].text) for name in names]
            return list(zip(kernel.parameters, places, strict=True))
        pairs, findings = [], []
        known = {one.name: one for one in kernel.parameters}
        for name, one in (given or {}).items():
            if name not in known:
                findings.append(_no_parameter(one, name, kernel, node.value.get("arguments")))
        if given is None:
            for name, one in arguments.items():
                if name not in known:
                    findings.append(_no_parameter(one, name, kernel, None))
        for parameter in kernel.parameters:
            if given is not None and parameter.name in given:
                pairs.append((parameter, given[parameter.name]))
            elif given is None and parameter.name in arguments:
                own = arguments[parameter.name]
                pairs.append((parameter, Node(parameter.name, own.location, own.text)))
            else:
                message = f"'{kernel.name}' has a parameter '{parameter.name}' ({parameter.text})"
                hint = "give it an argument of this name, or list all: arguments: [x, y, 300]"
                findings.append(node.finding(message + ", which is given nothing", hint))
        if findings:
            raise InputError(findings)
        return pairs


def _lists_all(node: Node, kernel: GeneratedKernel) -> bool:
    """Whether a launch lists the parameters of the PTX, each by itself: then it says all."""
    given = node.value.get("arguments")
    if given is None or not isinstance(given.value, list) or "grid" not in node.value:
        return False
    return len(given.value) == kernel.declared != len(kernel.parameters)


def _no_parameter(one: Node, name: str, kernel: GeneratedKernel, at: Node | None) -> Diagnostic:
    hint = f"its parameters: {_listed(kernel)}"
    hint += "; what was a constant when it was compiled is none"
    message = f"'{kernel.name}' has no parameter '{name}'"
    return at.finding(message, hint, key=name) if at is not None else one.finding(message, hint)


def axes_of(argument: Node) -> int | None:
    """How many axes an argument has; None if it is no array, or a file is to say that."""
    value = argument.value
    if isinstance(value, list):
        return 1 + (axes_of(value[0]) or 0) if value else 1
    if not isinstance(value, dict):
        return None
    shape = value.get("shape")
    if shape is not None and isinstance(shape.value, list):
        return len(shape.value)
    values = value.get("values")
    if values is not None:
        return axes_of(values)
    return 1 if "text" in value else None


def _listed(kernel: GeneratedKernel) -> str:
    return ", ".join(
        f"{one.name} ({one.text})" if one.name else one.text for one in kernel.parameters
    ) or "none"  # fmt: skip


def _full(extents: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*extents, *(1,) * (3 - len(extents)))


def _mapping(node: Node, key: str) -> Mapping[str, Node]:
    own = node.value.get(key) if isinstance(node.value, dict) else None
    return own.value if own is not None and isinstance(own.value, dict) else {}


def _with(node: Node, changes: Mapping[str, Node]) -> Node:
    """A mapping with other values; new keys stand where it does."""
    keys = {**dict.fromkeys(changes, node.location), **node.keys}
    return replace(node, value={**node.value, **changes}, keys=keys)


def _made(value: Any, like: Node) -> Node:
    """A plain value, or one of nodes, at the place of another node."""
    if isinstance(value, Node):
        return value
    if isinstance(value, Mapping):
        content = {key: _made(one, like) for key, one in value.items()}
        return Node(content, like.location, like.text, dict.fromkeys(content, like.location))
    if isinstance(value, list | tuple):
        return Node([_made(one, like) for one in value], like.location, like.text)
    return Node(value, like.location, like.text)
