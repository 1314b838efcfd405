"""The table of operators, a file a family; README.md beside this folder tells what each means."""

from compiler.levels.network.network import Operator
from compiler.levels.network.operators import (
    elementwise,
    indexed,
    movement,
    normalizing,
    products,
    reductions,
    windows,
)

_FAMILIES = (elementwise, reductions, products, windows, movement, indexed, normalizing)
OPERATORS: dict[str, Operator] = {
    operator.name: operator for family in _FAMILIES for operator in family.OPERATORS
}
