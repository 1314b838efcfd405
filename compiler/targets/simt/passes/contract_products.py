"""A product and a sum whose rounding the source leaves open become one row that rounds once.

    mul.f32 %t, %a, %b;                %t = mul.rn.f32 %a, %b
    sub.f32 %s, %c, %t;         ->     %s = sub.rn.f32 %c, %t     ->     %n = neg.f32 %a
                                                                        %s = fma.rn.f32 %n, %b, %c

What the assembler behind nvcc does, by its rule (`compiler.targets.simt.contraction`), so that
values are those of the hardware to the bit; `mul.rn` and `add.rn` of PTX never.  The values differ
from those of product and sum: an optimization of the source's language, not of its rows.  It is
done for machines that have a compute capability, as ptxas compiles for those, unless another wish
is told: `--passes default,-contract_products`, or `{contract_products: {always: true}}`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from compiler.analyses.control_flow import control_flow
from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction, Value
from compiler.targets.simt.combination.folding import fold
from compiler.targets.simt.combination.values import row
from compiler.targets.simt.contraction import (
    CONTRACTIBLE,
    Product,
    Sum,
    contracted,
    fused_name,
)
from compiler.targets.simt.passes.remove_dead_lanes import remove_dead
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine
from machines.vocabulary.lanes import read_lane


@dataclass(frozen=True, slots=True)
class ContractOptions:
    always: bool = option(False, "Also for machines without a compute capability.")


def contract(function: Function, on: bool) -> Changes:
    """Contract where that is `on`; later passes do not ask what the source leaves open."""
    changes = Changes()
    if on and (sums := contracted(function)):
        _Rewriting(function, sums, changes).run()
        remove_dead(function)
    for _, instruction in function.instructions():
        instruction.attributes.pop(CONTRACTIBLE, None)
    return changes


class _Rewriting:
    """Puts rows in place of sums; products that none reads any more are left.

    sums, products  by the row that each is; factors: of products, as names that still hold them
    """

    def __init__(self, function: Function, sums: Sequence[Sum], changes: Changes):
        self.function, self.changes = function, changes
        self.builder = Builder(function)
        self.sums = {id(one.row): one for one in sums}
        self.products = {id(p.row): p for one in sums for p, _ in [one.taken]}
        self.factors: dict[int, list[Value]] = {}

    def run(self) -> None:
        overwritten = self._overwritten()
        for name in control_flow(self.function).reverse_postorder:
            block = self.function.blocks[name]
            code: list[Instruction] = []
            for instruction in block.instructions:
                key = id(instruction)
                if key in self.products:
                    code += self._kept_factors(self.products[key], overwritten[key])
                one = self.sums.get(key)
                code += [instruction] if one is None else self._fused(one)
            self.builder.set_instructions(block, code)

    def _overwritten(self) -> dict[int, set[Value]]:
        """By product, the factors that are written again before its last sum, or may be."""
        found = {key: set(product.moving) for key, product in self.products.items()}
        left = Counter(id(one.taken[0].row) for one in self.sums.values())
        waiting: dict[int, Product] = {}
        for _, instruction in self.function.instructions():
            one = self.sums.get(id(instruction))
            if one is not None:
                key = id(one.taken[0].row)
                left[key] -= 1
                if not left[key]:
                    waiting.pop(key, None)
            if id(instruction) in self.products:
                waiting[id(instruction)] = self.products[id(instruction)]
            for key, product in waiting.items():
                found[key].update(set(product.row.operands) & set(instruction.results))
        return found

    def _kept_factors(self, product: Product, overwritten: set[Value]) -> list[Instruction]:
        """Copies of the factors that are written again before they are read."""
        factors, copies = list(product.row.operands), []
        for position, value in enumerate(factors):
            if value in overwritten:
                file = product.row.operation.reads[position].kind.file
                factors[position] = self._fresh(value)
                copies.append(
                    Instruction(
                        row(f"mov.{file}"), (factors[position],), (value,),
                        location=product.row.location,
                    )
                )  # fmt: skip
        self.factors[id(product.row)] = factors
        return copies

    def _fresh(self, like: str) -> str:
        return self.builder.fresh(like, self.function.types[like])

    def _fused(self, one: Sum) -> list[Instruction]:
        product, reader = one.taken
        old, type = one.row, product.row.operation.name.split(".")[-1]
        is_difference = old.operation.name.startswith("sub.")
        addend, before = old.operands[1 - reader.position], []
        if is_difference and reader.position == 0:
            addend, before = self._negated(addend, type, old)
        first, second = self.factors[id(product.row)]
        if reader.negated != (is_difference and reader.position == 1):
            if isinstance(second, str):
                first, more = self._negated(first, type, old)
                before += more
            else:
                second, _ = self._negated(second, type, old)
        made = Instruction(
            row(fused_name(product.row, old)),
            old.results,
            (first, second, addend),
            old.guard,
            old.otherwise,
            location=old.location,
        )
        self.changes.note("product and sum", old)
        return [*before, made]

    def _negated(
        self, value: Value, type: str, near: Instruction
    ) -> tuple[Value, list[Instruction]]:
        """The opposite of an operand, and the row that makes it if it is not a constant."""
        opposite = row(f"neg.{type}")
        known = fold(Instruction(opposite, ("",), (value,)))
        if known is not None:
            return read_lane(known[0], opposite.reads[0].kind.type), []
        name = self._fresh(value)
        return name, [Instruction(opposite, (name,), (value,), location=near.location)]


def run(function: Function, machine: Machine, options: ContractOptions) -> Changes:
    own = machine.description.compute_capability is not None
    return contract(function, own or options.always)


PLUGIN = Pass(
    "contract_products",
    "A product and a sum whose rounding the source leaves open become one row that rounds once.",
    run,
    forms={"virtual": "virtual"},
    options=ContractOptions,
    kinds=("simt",),
)
