"""The one way to make and change functions.

Front ends build with it and passes change with it, because every change must bump
`Function.version`, which cached analyses hold.  Misuse (an unknown operation, a variable with two
types) is a programming error of the caller and raises ValueError; what the user typed is checked by
`compiler.text_form` and `compiler.verify.ir`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from compiler.ir.module import Block, Buffer, Function, Guard, Instruction, Module, Value
from machines.diagnostics import Location
from machines.instructions import operations
from machines.operations.row import OperandKind, Operation
from machines.types import BF16, E4M3, E5M2, F16, F32, PTR, Type
from machines.vocabulary.numbers import round_f32, sign_extend, zero_extend
from machines.vocabulary.tensors import round_bf16, round_e4m3, round_e5m2, round_f16

_ROUNDED = {
    F16: round_f16, BF16: round_bf16, E4M3: round_e4m3, E5M2: round_e5m2, F32: round_f32
}  # fmt: skip


def canonical(value: int | float, kind: OperandKind) -> int | float:
    """A literal as the IR holds it: integers as signed values of their width, floats rounded.

    >>> from machines.types import F64, I8
    >>> canonical(255, I8), canonical(1, F64)
    (-1, 1.0)
    """
    if not isinstance(kind, Type):
        return value
    if kind.is_float:
        return _ROUNDED.get(kind, float)(float(value))
    if kind.is_integer and kind.bits > 1:
        return (sign_extend if kind.signed else zero_extend)(int(value), kind.bits)
    return int(value)


def add_function(
    module: Module,
    name: str,
    parameters: Sequence[tuple[str, Type]] = (),
    result: Type | None = None,
    location: Location | None = None,
) -> Builder:
    """A new function of the module, without blocks, and a builder for it."""
    if name in module.functions:
        raise ValueError(f"function '{name}' exists already")
    of_module = {"buffers": module.buffers, "functions": module.functions}
    function = Function(name, list(parameters), result, location=location, **of_module)
    function.types.update(parameters)
    if len(function.types) != len(parameters):
        raise ValueError(f"function '{name}' has two parameters of one name")
    module.functions[name] = function
    return Builder(function)


def add_buffer(module: Module, buffer: Buffer) -> Buffer:
    """Declare a buffer in the module."""
    if buffer.name in module.buffers:
        raise ValueError(f"buffer '{buffer.name}' exists already")
    module.buffers[buffer.name] = buffer
    return buffer


class Builder:
    """Changes one function; new instructions go to the insertion point (`at`).

    `guard` and `location` are given to every instruction emitted while they are set.
    """

    def __init__(self, function: Function):
        self.function = function
        self.guard: Guard | None = None
        self.location: Location | None = None
        self._block: Block | None = None
        self._index: int | None = None
        self._counters: dict[str, int] = {}

    # Blocks and names

    def block(self, name: str, location: Location | None = None) -> Block:
        """Add an empty block at the end of the layout and go to it."""
        if name in self.function.blocks:
            raise ValueError(f"block '{name}' exists already")
        block = self.function.blocks[name] = Block(name, location=location)
        self._changed()
        return self.at(block)

    def at(self, block: Block, index: int | None = None) -> Block:
        """Emit from here on before instruction `index` of the block (None: at its end)."""
        self._block, self._index = block, index
        return block

    @property
    def current(self) -> Block:
        """The block that instructions are emitted to."""
        if self._block is None:
            raise ValueError("the builder is in no block")
        return self._block

    @property
    def is_terminated(self) -> bool:
        """Whether the current block has its terminator."""
        instructions = self.current.instructions
        return bool(instructions) and instructions[-1].operation.is_terminator

    def fresh(self, hint: str, type: Type | None = None) -> str:
        """A variable name nobody uses yet: 'hint.1', 'hint.2', …; with a type it is declared."""
        return self._unused(hint, self.function.types, type)

    def fresh_block(self, hint: str) -> str:
        """A block name nobody uses yet."""
        return self._unused(hint, self.function.blocks, None)

    def declare(self, name: str, type: Type) -> str:
        """Give a variable its type; a variable has one type in the whole function."""
        known = self.function.types.setdefault(name, type)
        if known is not type:
            raise ValueError(f"variable '{name}' is {known}, not {type}")
        return name

    def order(self, names: Iterable[str]) -> None:
        """Lay the blocks out in this order; the entry stays first."""
        blocks, names = self.function.blocks, list(names)
        if sorted(names) != sorted(blocks) or names[0] != self.function.entry.name:
            raise ValueError("a layout names every block once and begins with the entry")
        self.function.blocks = {name: blocks[name] for name in names}
        self._changed()

    def new_entry(self) -> Block:
        """Put a block in front that only jumps to what was the entry; the builder stays there."""
        old = self.function.entry
        new = self.block(self.fresh_block("entry"))
        self.jump(old)
        blocks = self.function.blocks
        del blocks[new.name]
        self.function.blocks = {new.name: new, **blocks}
        self._changed()
        return new

    def remove_block(self, name: str) -> None:
        """Take a block away; nothing may jump to it any more."""
        del self.function.blocks[name]
        self._changed()

    def join(self, block: Block, following: Block) -> None:
        """Put the code of another block in place of the jump at the end of this one; that other
        block, to which nothing else may jump, is gone."""
        block.instructions[-1:] = following.instructions
        self.remove_block(following.name)

    # Instructions

    def emit(
        self,
        operation: str | Operation,
        *operands: Value,
        result: str | Sequence[str] | None = None,
        guard: Guard | None = None,
        otherwise: Sequence[Value] = (),
        attributes: dict[str, object] | None = None,
        location: Location | None = None,
    ) -> str | None:
        """Emit one instruction and return the name of its (first) result, if it has one.

        `operation` is a row or the name of an IR row.  Without `result` fresh names are taken.
        Literals are brought to their canonical form.
        """
        row = operation if isinstance(operation, Operation) else _ir_row(operation)
        if result is None:
            names = tuple(self.fresh(row.name.split(".")[0]) for _ in row.writes)
        else:
            names = (result,) if isinstance(result, str) else tuple(result)
        instruction = Instruction(
            row,
            names,
            self._canonical_operands(row, operands),
            guard or self.guard,
            tuple(otherwise),
            dict(attributes or {}),
            location or self.location,
        )
        self.insert(instruction)
        return names[0] if names else None

    def insert(self, instruction: Instruction) -> Instruction:
        """Put a ready-made instruction at the insertion point."""
        self._declare_results(instruction)
        if self._index is None:
            self.current.instructions.append(instruction)
        else:
            self.current.instructions.insert(self._index, instruction)
            self._index += 1
        self._changed()
        return instruction

    def remove(self, block: Block, instruction: Instruction) -> None:
        """Take an instruction out of a block."""
        block.instructions.pop(_position(block, instruction))
        self._changed()

    def replace(self, block: Block, old: Instruction, new: Iterable[Instruction]) -> None:
        """Put instructions in the place of another one."""
        new = list(new)
        position = _position(block, old)
        block.instructions[position : position + 1] = new
        for instruction in new:
            self._declare_results(instruction)
        self._changed()

    def set_instructions(self, block: Block, instructions: Iterable[Instruction]) -> None:
        """Give a block a whole new list of instructions."""
        block.instructions = list(instructions)
        for instruction in block.instructions:
            self._declare_results(instruction)
        self._changed()

    def change(self, instruction: Instruction, **fields) -> None:
        """Change fields of an instruction: change(i, operands=('a', 5), guard=None)."""
        for name, value in fields.items():
            setattr(instruction, name, value)
        self._declare_results(instruction)
        self._changed()

    def forget_unused_types(self) -> None:
        """Drop from `Function.types` the variables that no instruction names any more."""
        names = {name for name, _ in self.function.parameters}
        for _, instruction in self.function.instructions():
            names.update(instruction.results, instruction.variables_read)
        types = self.function.types
        self.function.types = {name: types[name] for name in types if name in names}
        self._changed()

    # Shorthands for what ends a block

    def jump(self, to: str | Block) -> None:
        self.emit("jump", _name(to))

    def branch(self, condition: str, then: str | Block, other: str | Block) -> None:
        self.emit("branch", condition, _name(then), _name(other))

    def return_(self, *value: Value) -> None:
        self.emit("return", *value)

    def _declare_results(self, instruction: Instruction) -> None:
        for operand, name in zip(instruction.operation.writes, instruction.results, strict=True):
            if isinstance(operand.kind, Type):
                self.declare(name, operand.kind)

    def _canonical_operands(self, row: Operation, operands: Sequence[Value]) -> tuple[Value, ...]:
        if "phi" in row.flags:
            kinds = [None, row.writes[0].kind] * (len(operands) // 2)
        elif row.control == "return" and not row.reads:
            kinds = [self.function.result] * len(operands)
        else:
            kinds = [operand.kind for operand in row.reads]
        if row.calls:
            callee = self.function.functions[str(operands[0])]
            kinds += [PTR] if row.calls_through else []
            kinds += [t for _, t in callee.parameters]
        return tuple(
            value if isinstance(value, str) else canonical(value, kind)
            for kind, value in zip(kinds, operands, strict=True)
        )

    def _unused(self, hint: str, taken: dict, type: Type | None) -> str:
        number = self._counters.get(hint, 0) + 1
        while f"{hint}.{number}" in taken:
            number += 1
        self._counters[hint] = number
        name = f"{hint}.{number}"
        return self.declare(name, type) if type else name

    def _changed(self) -> None:
        self.function.version += 1


def _ir_row(name: str) -> Operation:
    try:
        return operations()["ir", name]
    except KeyError:
        raise ValueError(f"there is no IR operation '{name}'") from None


def _position(block: Block, instruction: Instruction) -> int:
    code = block.instructions
    if code[-1] is instruction:  # as what is removed or replaced often is
        return len(code) - 1
    return next(i for i, other in enumerate(code) if other is instruction)


def _name(block: str | Block) -> str:
    return block if isinstance(block, str) else block.name
