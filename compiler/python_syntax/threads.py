"""What programs of threads add to the language: built-in variables, barriers, shared memory,
atomics, votes.

    i = grid(1)                              tile = shared.array((32, 33), f32)
    old = atomic.add(counts, k, 1)           syncthreads()

The names are those of numba's CUDA target.  They mean this only in files that import them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from compiler.python_syntax import conversions
from compiler.python_syntax.conversions import literals
from compiler.python_syntax.scalars import BOOLEAN, I32, SCALARS, U64, Scalar, promote
from compiler.python_syntax.scope import Scope
from compiler.python_syntax.tree import Array, Binary, Constant, Element, ThreadOperation, Value
from compiler.python_syntax.unsupported import refuse_syntax
from machines.diagnostics import nearest

Check = Callable[[Scope, ast.expr], Value]
CheckElement = Callable[[Scope, ast.Subscript], Element]

AXES = ("x", "y", "z")
FULL_MASKS = ((1 << 32) - 1, (1 << 64) - 1, -1)
"""What may stand for all threads of the warp."""
_BUILT_INS = {"threadIdx": "tid", "blockDim": "ntid", "blockIdx": "ctaid", "gridDim": "nctaid"}
_WARP_BUILT_INS = ("laneid", "warpsize")
_SPACES = ("shared", "local")
_ATOMICS = {
    "add": "add",
    "min": "min",
    "max": "max",
    "and_": "and",
    "or_": "or",
    "xor": "xor",
    "exch": "exchange",
    "cas": "cas",
}
"""Method of `atomic` -> IR operation."""
_MEETINGS = {"syncthreads": "barrier", "threadfence": "fence"}
_VOTES = {"any_sync": "vote_any", "all_sync": "vote_all", "ballot_sync": "ballot"}
_SHUFFLES = {
    "shfl_sync": "shuffle_index",
    "shfl_up_sync": "shuffle_up",
    "shfl_down_sync": "shuffle_down",
    "shfl_xor_sync": "shuffle_xor",
}


# Built-in variables ----------------------------------------------------------------------------


def _built_in(scope: Scope, node: ast.AST, row: str) -> ThreadOperation:
    return ThreadOperation(row, [], type=I32, location=scope.source.locate(node))


def check_attribute(scope: Scope, node: ast.Attribute) -> Value:
    """`threadIdx.x` and its like; other attributes are not in the language."""
    source, declarations = scope.source, scope.declarations
    name = node.value.id if isinstance(node.value, ast.Name) else None
    if name not in _BUILT_INS or scope.names(name):
        refuse_syntax(source, node)
    declarations.require_import(node.value, name)
    if node.attr not in AXES:
        hint = f"write {', '.join(f'{name}.{axis}' for axis in AXES)}"
        source.refuse(node, f"'{name}' has no axis '{node.attr}'", hint)
    return _built_in(scope, node, f"{_BUILT_INS[name]}.{node.attr}")


def check_warp_built_in(scope: Scope, node: ast.Name) -> Value | None:
    """`laneid` and `warpsize`, if the name means that here."""
    if node.id not in _WARP_BUILT_INS or node.id not in scope.declarations.imported:
        return None
    return _built_in(scope, node, node.id)


def _along(scope: Scope, node: ast.Call, axis: str) -> Value:
    """The thread's index in the whole grid along an axis."""
    block, size, thread = (
        _built_in(scope, node, f"{row}.{axis}") for row in ("ctaid", "ntid", "tid")
    )
    location = block.location
    first = Binary("mul", block, size, type=I32, location=location)
    return Binary("add", first, thread, type=I32, location=location)


def grid_values(scope: Scope, node: ast.expr) -> list[Value] | None:
    """The values of `grid(2)` or `grid(3)`, one for each axis; None if it is no such call."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
        return None
    if node.func.id != "grid" or scope.names("grid"):
        return None
    scope.declarations.require_import(node.func, "grid")
    count = _dimensions(node)
    if count is None:
        scope.source.refuse(node, "grid needs 1, 2 or 3", "write i, j = grid(2)")
    return [_along(scope, node, axis) for axis in AXES[:count]]


def _dimensions(node: ast.Call) -> int | None:
    match node.args:
        case [ast.Constant(value=int(count))] if 1 <= count <= len(AXES):
            return count
    return None


def _grid(scope: Scope, node: ast.Call, check: Check) -> Value:
    values = grid_values(scope, node)
    if len(values) > 1:
        names = ", ".join("ijk"[: len(values)])
        message = f"grid({len(values)}) gives {len(values)} numbers"
        scope.source.refuse(node, message, f"write {names} = grid({len(values)})")
    return values[0]


# Memory ----------------------------------------------------------------------------------------


def declared_array(scope: Scope, name: str, node: ast.expr, check: Check) -> Array | None:
    """The array that `shared.array((32, 33), f32)` declares; None if the node is no such call."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=space), attr=method)):
            pass
        case _:
            return None
    source = scope.source
    if space not in _SPACES or scope.names(space):
        return None
    scope.declarations.require_import(node.func.value, space)
    form = f"{space}.array(256, f32)"
    if method != "array":
        source.refuse(node.func, f"'{space}' has no '{method}'", f"write {form}")
    if scope.loops:
        message = f"{space}.array declares an array once, not in every turn of a loop"
        source.refuse(node, message, "move it before the loop")
    if len(node.args) != 2 or node.keywords:
        source.refuse(node, f"{space}.array needs a shape and a type", f"write {form}")
    shape, element = node.args
    if not (isinstance(element, ast.Name) and element.id in SCALARS):
        message = f"'{source.quote(element)}' is not a kernel type"
        source.refuse(element, message, f"types are {', '.join(SCALARS)}")
    scope.declarations.require_import(element, element.id)
    texts = shape.elts if isinstance(shape, ast.Tuple) else [shape]
    sizes = tuple(_size(scope, text, check) for text in texts)
    if not sizes:
        source.refuse(shape, "an array needs at least one dimension", f"write {form}")
    return Array(name, SCALARS[element.id], sizes, sizes, source.locate(node), space=space)


def _size(scope: Scope, node: ast.expr, check: Check) -> int:
    value = check(scope, node)
    if not isinstance(value, Constant) or not isinstance(value.value, int) or value.value <= 0:
        message = "the size of such an array is a constant, positive integer"
        scope.source.refuse(node, message, "write a number, or a constant of the file")
    return value.value


def _atomic_method(node: ast.Call) -> str | None:
    match node.func:
        case ast.Attribute(value=ast.Name(id="atomic"), attr=method):
            return method
    return None


def check_method(
    scope: Scope, node: ast.Call, check: Check, check_element: CheckElement
) -> Value | None:
    """`atomic.add(array, index, value)` and its like; None if the call is something else."""
    source, method = scope.source, _atomic_method(node)
    if method is None or scope.names("atomic"):
        return None
    scope.declarations.require_import(node.func.value, "atomic")
    if method not in _ATOMICS:
        hint = nearest(method, _ATOMICS) or f"there are {', '.join(_ATOMICS)}"
        source.refuse(node.func, f"'atomic' has no '{method}'", hint)
    given = ("compare", "value") if method == "cas" else ("value",)
    form = f"atomic.{method}(array, index, {', '.join(given)})"
    if len(node.args) != 2 + len(given) or node.keywords:
        source.refuse(node, f"expected {2 + len(given)} argument(s)", f"write {form}")
    array, index, *values = node.args
    subscript = ast.copy_location(ast.Subscript(array, index, ast.Store()), node)
    element = check_element(scope, subscript)
    row = _atomic_row(scope, node, _ATOMICS[method], element)
    what = f"an element of {element.array.name}"
    operands = [
        conversions.assignable(source, text, check(scope, text), element.type, what)
        for text in values
    ]
    location = source.locate(node)
    return ThreadOperation(row, operands, element, type=element.type, location=location)


def _atomic_row(scope: Scope, node: ast.Call, name: str, element: Element) -> str:
    scalar = element.type
    is_sum_of_floats = name == "add" and scalar.is_float
    if not is_sum_of_floats and not (scalar.is_integer and scalar.bits >= 32):
        kinds = "i32, u32, i64, u64" + (", f32 and f64" if name == "add" else "")
        message = f"there is no atomic {name} of {scalar}"
        scope.source.refuse(node, message, f"the element may be {kinds}")
    if name in ("min", "max"):
        name += "_s" if scalar.signed else "_u"
    return f"atomic_{name}.{scalar.type}"


# Meeting other threads -------------------------------------------------------------------------


def _meeting(scope: Scope, node: ast.Call, check: Check) -> Value:
    if node.args:
        scope.source.refuse(node, f"{node.func.id} takes no argument", f"write {node.func.id}()")
    return ThreadOperation(_MEETINGS[node.func.id], [], location=scope.source.locate(node))


def _without_mask(scope: Scope, node: ast.Call, check: Check, names: str) -> list[ast.expr]:
    """The arguments behind the mask, which may be left out."""
    source, count = scope.source, len(names.split(", "))
    form = f"{node.func.id}({names})"
    if len(node.args) == count:
        return node.args
    if len(node.args) != count + 1:
        source.refuse(node, f"expected {count} argument(s), got {len(node.args)}", f"write {form}")
    mask = check(scope, node.args[0])
    if not conversions.is_literal(mask) or mask.value not in FULL_MASKS:
        message = "all threads of the warp take part: the mask is 0xffffffff or left out"
        source.refuse(node.args[0], message, f"write {form}")
    return node.args[1:]


def _vote(scope: Scope, node: ast.Call, check: Check) -> Value:
    (text,) = _without_mask(scope, node, check, "p")
    condition = conversions.truth(check(scope, text))
    row, location = _VOTES[node.func.id], scope.source.locate(node)
    result = U64 if row == "ballot" else BOOLEAN
    return ThreadOperation(row, [condition], type=result, location=location)


def _shuffle(scope: Scope, node: ast.Call, check: Check) -> Value:
    source = scope.source
    text, where = _without_mask(scope, node, check, "value, lane")
    value = conversions.alone(source, text, check(scope, text))
    scalar: Scalar = promote(value.type)
    lane = check(scope, where)
    for number in literals(lane) if lane.type is None else ():
        if not isinstance(number, int) or number < 0:
            source.refuse(where, f"{number} is no lane and no distance of lanes", "write 0 … 63")
    lane = conversions.alone(source, where, lane)
    if not lane.type.is_integer:
        source.refuse(where, f"a lane is an integer, not {lane.type}", "cast it: i32(…)")
    row = f"{_SHUFFLES[node.func.id]}.{scalar.type}"
    operands = [conversions.convert(value, scalar), conversions.convert(lane, I32)]
    return ThreadOperation(row, operands, type=scalar, location=source.locate(node))


FUNCTIONS: dict[str, Callable[[Scope, ast.Call, Check], Value]] = {
    "grid": _grid,
    **dict.fromkeys(_MEETINGS, _meeting),
    **dict.fromkeys(_VOTES, _vote),
    **dict.fromkeys(_SHUFFLES, _shuffle),
}
"""Functions by name; they take their meaning from the import."""
