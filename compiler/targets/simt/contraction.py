"""Which products become part of which sums where the source leaves rounding open, as in ptxas.

    %t = mul.rn.f32 %a, %b  {contractible: true}
    %s = add.rn.f32 %t, %c  {contractible: true}    ->    %s = fma.rn.f32 %a, %b, %c

PTX without a rounding mode lets the assembler round product and sum at once.  The rule is that of
ptxas 13.0 at -O3, found with random expressions (`tests/campaign/test_contraction.py`):

* A product may go into a sum if both leave the rounding open, have one type and flush alike, and
  the product neither saturates nor is guarded.  Signs in between do not matter; what is added to
  itself is no such sum.  Both stand in one block, or in blocks that only jumps join; a product with
  a constant or a parameter of the kernel may stand anywhere in front (here if its register is
  written once, as in all code that compilers write).
* It goes only if all that reads it then is such a sum: in the end the product itself is gone.
* First those go that one sum reads, in the order of the sums, of two the first operand.  Then, in
  the same order, each sum takes a product of which all readers that are left could do so; of two
  that which had fewer readers in the beginning, or the first operand.  What is gone into one sum
  has one reader less; so a product may go into some of its sums and yet be needed, because a later
  sum took the other one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from compiler.analyses.control_flow import control_flow
from compiler.analyses.liveness import liveness
from compiler.ir.module import Block, Function, Instruction, Value
from compiler.targets.simt.combination.values import values_of
from compiler.targets.simt.registers.operands import reads
from machines.instructions import operations

CONTRACTIBLE = "contractible"
"""Attribute of a product, sum or difference of which the source leaves the rounding open."""
PRODUCT, SUMS = "mul", ("add", "sub")
ONES = (1.0, -1.0)
"""Factors without which ptxas does before it contracts."""


@dataclass(eq=False)
class Product:
    """A product that may go into sums.

    moving    its factors that may be others where its sums stand, if they stand anywhere
    readers   operands that read it and are not gone into it; open: whether something else does, so
              that it stays in any case; count: of all its readers
    """

    row: Instruction
    moving: set[Value] = field(default_factory=set)
    readers: list[Reader] = field(default_factory=list)
    open: bool = False
    count: int = 0


@dataclass(eq=False)
class Reader:
    """An operand of a sum: whether its sign is that of the product, through rows that negate."""

    sum: Sum
    position: int
    negated: bool


@dataclass(eq=False)
class Sum:
    """A sum or difference that may take a product in.

    row       it
    products  that its operands read, by position, with the readers that these are
    taken     the reader of the product that is part of it
    """

    row: Instruction
    products: dict[int, tuple[Product, Reader]] = field(default_factory=dict)
    taken: tuple[Product, Reader] | None = None


@dataclass(frozen=True)
class _Held:
    """What a register holds: a product or its opposite."""

    product: Product
    negated: bool


def contracted(function: Function) -> list[Sum]:
    """The sums that take products in, in their order."""
    sums = _Readers(function).sums
    for one in sums:
        _take(one, lambda product: product.count == 1)
    for one in sums:
        _take(one, lambda product: True)
    return [one for one in sums if one.taken]


def _take(one: Sum, may: Callable[[Product], bool]) -> None:
    """Let a sum take one of its products in, of which those are asked that `may`."""
    if one.taken:
        return
    found = [
        (product.count, position)
        for position, (product, _) in one.products.items()
        if may(product) and _goes(product)
    ]
    if found:
        _, position = min(found)
        one.taken = product, reader = one.products[position]
        product.readers.remove(reader)


def _goes(product: Product) -> bool:
    """Whether all readers that are left could take it in."""
    return not product.open and all(_could(product, reader) for reader in product.readers)


def _could(product: Product, reader: Reader) -> bool:
    one = reader.sum
    both = [held for held, _ in one.products.values()]
    return one.taken is None and both.count(product) == 1 and _fit(product.row, one.row)


def _fit(product: Instruction, one: Instruction) -> bool:
    return fused_name(product, one) in operations().family("ptx")


def fused_name(product: Instruction, one: Instruction) -> str:
    """The row that does both; '' if they differ in type or flushing."""
    _, *first = product.operation.name.split(".")
    _, *second = one.operation.name.split(".")
    same = first == [part for part in second if part != "sat"]
    return ".".join(("fma", *second)) if same else ""


class _Readers:
    """Finds the sums of a function, and the products that their operands hold.

    held  register -> what it holds where the walk is, within a piece; far: anywhere behind
    """

    def __init__(self, function: Function):
        self.sums: list[Sum] = []
        self._values = values_of(function)
        self._far: dict[str, _Held] = {}
        live = liveness(function)
        for group in _pieces(function):
            self._held: dict[str, _Held] = {}
            code = [row for block in group for row in block.instructions]
            for row in code:
                self._row(row)
            written = [name for row in code for name in row.results]
            leaving = live.live_out.among(group[-1].name, written)
            self._need(name for name in leaving if name not in self._far)

    def _row(self, row: Instruction) -> None:
        opposite = self._opposite(row)
        one = Sum(row) if _leaves_open(row, SUMS) else None
        if one is not None:
            self._note(one)
        elif opposite is None:
            self._need(name for name, _ in reads(row))
        if row.guard is not None:
            self._need((row.guard.name, *row.results))
        for name in row.results:
            self._held.pop(name, None)
        if opposite is not None:
            self._hold(row, opposite)
        elif one is not None:
            self.sums.append(one)
        elif _is_product(row):
            self._hold(row, _Held(Product(row), negated=False))

    def _hold(self, row: Instruction, held: _Held) -> None:
        (name,) = row.results
        self._held[name] = held
        factors = held.product.row.operands
        if name in self._values.origins and any(map(self._is_given, factors)):
            self._far[name] = held
            held.product.moving.update(v for v in factors if not self._values.is_stable(v))

    def _is_given(self, value: Value) -> bool:
        """Whether a factor is a constant or a parameter, which the hardware reads in place, with
        any sign."""
        made = self._values.origin(value)
        while made is not None and made.operation.name.startswith("neg."):
            made = self._values.origin(made.operands[0])
        is_loaded = made is not None and [a.space for a in made.operation.accesses] == ["param"]
        return not isinstance(value, str) or is_loaded

    def _of(self, value: Value) -> _Held | None:
        return self._held.get(value) or self._far.get(value) if isinstance(value, str) else None

    def _note(self, one: Sum) -> None:
        """The operands of a sum, which may take in what they hold."""
        for position, value in enumerate(one.row.operands):
            if (held := self._of(value)) is not None:
                reader = Reader(one, position, held.negated)
                held.product.readers.append(reader)
                held.product.count += 1
                one.products[position] = held.product, reader

    def _need(self, names: Iterable[str]) -> None:
        """What is read otherwise is needed as it is."""
        for name in names:
            if (held := self._of(name)) is not None:
                held.product.open = True
                held.product.count += 1

    def _opposite(self, row: Instruction) -> _Held | None:
        """What a row that changes the sign of a product holds."""
        opcode, *mode = row.operation.name.split(".")
        source = self._of(row.operands[0]) if opcode == "neg" and row.guard is None else None
        if source is None:
            return None
        flushes = "ftz" in source.product.row.operation.name.split(".")
        return None if "ftz" in mode and not flushes else _Held(source.product, not source.negated)


def _pieces(function: Function) -> Iterator[list[Block]]:
    """Blocks in groups that run one behind the other, whatever happens; first what dominates."""
    flow = control_flow(function)
    joined = {
        name
        for name in function.blocks
        if len(before := flow.predecessors[name]) == 1 and len(flow.successors[before[0]]) == 1
    }
    for name in flow.reverse_postorder:
        if name in joined:
            continue
        group = [function.blocks[name]]
        while (after := flow.successors[group[-1].name])[:1] and after[0] in joined:
            group.append(function.blocks[after[0]])
        yield group


def _leaves_open(row: Instruction, opcodes: Sequence[str]) -> bool:
    return CONTRACTIBLE in row.attributes and row.operation.name.split(".")[0] in opcodes


def _is_product(row: Instruction) -> bool:
    return (
        _leaves_open(row, (PRODUCT,))
        and row.guard is None
        and "sat" not in row.operation.name.split(".")
        and not any(is_one(value) for value in row.operands)
    )


def is_one(value: Value) -> bool:
    return isinstance(value, float) and value in ONES
