"""What kernels cannot say, and what to write instead."""

from __future__ import annotations

import ast
from typing import NoReturn

from compiler.python_syntax.errors import Source
from compiler.python_syntax.scope import LIBRARY_NAMES

_LOOP = "write a for loop"
_SYNTAX: dict[type[ast.AST], tuple[str, str]] = {
    # Expressions
    ast.Lambda: ("lambda is not in the language", "write a kernel and call it"),
    ast.ListComp: ("comprehensions are not in the language", _LOOP),
    ast.SetComp: ("comprehensions are not in the language", _LOOP),
    ast.DictComp: ("comprehensions are not in the language", _LOOP),
    ast.GeneratorExp: ("generator expressions are not in the language", _LOOP),
    ast.List: (
        "lists are not in the language",
        "declare a scratch array, name: i64[16], or a table at module level",
    ),
    ast.Tuple: (
        "tuples are not values",
        "assign each name, a, b = b, a, or return results through arrays",
    ),
    ast.Dict: ("dictionaries are not in the language", "use an array"),
    ast.Set: ("sets are not in the language", "use an array"),
    ast.JoinedStr: ("strings are not in the language", "use an array of u8"),
    ast.Attribute: ("attributes are not in the language", "use plain names and array elements"),
    ast.NamedExpr: ("':=' is not in the language", "assign in a line of its own"),
    ast.Starred: ("'*' before a value is not in the language", "write the values out"),
    ast.Slice: ("slices are not in the language", "write a loop over the elements"),
    ast.Await: ("await is not in the language", "a kernel runs from start to end"),
    ast.Yield: ("yield is not in the language", "return results through arrays"),
    ast.YieldFrom: ("yield is not in the language", "return results through arrays"),
    ast.MatMult: ("matrix multiplication is not in the language", "write the loops"),
    # Statements
    ast.FunctionDef: ("a kernel cannot contain a function", "write it as a kernel beside this one"),
    ast.AsyncFunctionDef: ("async functions are not in the language", "write def"),
    ast.ClassDef: ("classes are not in the language", "use arrays and kernels"),
    ast.Import: ("imports inside a kernel are not in the language", "import at the top"),
    ast.ImportFrom: ("imports inside a kernel are not in the language", "import at the top"),
    ast.Try: ("try is not in the language", "test the condition with if before acting"),
    ast.TryStar: ("try is not in the language", "test the condition with if before acting"),
    ast.Raise: ("raise is not in the language", "return a code, or store one in an array"),
    ast.Assert: (
        "assert is not in the language",
        "return a code, and check outputs with expect: in the workload",
    ),
    ast.With: ("with is not in the language", "write the statements themselves"),
    ast.AsyncWith: ("with is not in the language", "write the statements themselves"),
    ast.AsyncFor: ("async for is not in the language", "write for i in range(…)"),
    ast.Global: ("global is not in the language", "pass an array of one element"),
    ast.Nonlocal: ("nonlocal is not in the language", "pass an array of one element"),
    ast.Delete: ("del is not in the language", "names last until the kernel returns"),
    ast.Match: ("match is not in the language", "write if … elif … else"),
}


def refuse_syntax(source: Source, node: ast.AST) -> NoReturn:
    """Refuse a construct that the language does not have."""
    if isinstance(node, ast.Constant):
        _refuse_constant(source, node)
    construct = node.op if isinstance(node, ast.BinOp | ast.AugAssign) else node
    message, hint = _SYNTAX.get(type(construct), (_unknown(construct), "see PYTHON.md"))
    source.refuse(node, message, hint)


def _refuse_constant(source: Source, node: ast.Constant) -> NoReturn:
    value = node.value
    if isinstance(value, str | bytes):
        source.refuse(node, "strings are not in the language", "use an array of u8")
    if isinstance(value, complex):
        source.refuse(node, "complex numbers are not in the language", "use two floats")
    if value is None:
        source.refuse(node, "None is not a value", "use a number that cannot occur otherwise")
    source.refuse(node, f"'{value}' is not a value", "write a number")


def _unknown(node: ast.AST) -> str:
    return f"{type(node).__name__} is not in the language"


_METHODS = {
    "append": "keep a count n of your own: a[n] = x; n += 1",
    "sqrt": "write sqrt(…)",
    "fabs": "write abs(…)",
    "fma": "write fma(…)",
    "minimum": "write min(…)",
    "maximum": "write max(…)",
    "abs": "write abs(…)",
    "absolute": "write abs(…)",
    "floor": "i64(…) truncates; subtract 1 if the result is above the value",
    "pow": "write x ** 2 with a constant exponent, or a loop",
    "zeros": "declare a scratch array: name: f64[16]",
    "sum": "add up in a loop",
    "dot": "add up in a loop",
    "copy": "copy the elements in a loop",
}
_FUNCTIONS = {
    "print": "store what you want to see in an array",
    "int": "write i64(…)",
    "float": "write f64(…)",
    "bool": "write boolean(…), or x != 0",
    "round": "write i64(x + 0.5) for positive x",
    "sum": "add up in a loop",
    "pow": "write x ** 2 with a constant exponent",
    "divmod": "write // and %",
    "enumerate": "write for i in range(n)",
    "zip": "write for i in range(n)",
    "reversed": "write for i in range(n - 1, -1, -1)",
    "sorted": "sort in a kernel",
    "float32": "write f32(…)",
    "float64": "write f64(…)",
    **{name: f"write {name}(…), of an f32" for name in LIBRARY_NAMES},
}


def method_hint(name: str) -> str:
    """What to write instead of `something.name(…)`."""
    return _METHODS.get(name) or _FUNCTIONS.get(name) or "use operators and kernels"


def function_hint(name: str) -> str | None:
    """What to write instead of a call of Python's or numpy's function `name`."""
    return _FUNCTIONS.get(name) or _METHODS.get(name)
