"""Kernels in Python, damaged as trees: what comes out is Python for the most part."""

from __future__ import annotations

import ast
import copy
from random import Random

_OPERATORS = (
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift,
    ast.BitAnd, ast.BitOr, ast.BitXor, ast.MatMult,
)  # fmt: skip
_COMPARES = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.In, ast.Is)
_CONSTANTS = (
    0, 1, -1, 2, 8, 31, 32, 63, 64, 255, 2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64, 10**30,
    0.5, 1e300, float("inf"), True, None, "x", 1j,
)  # fmt: skip
_WRAPPERS = (
    "while i < n:\n    pass", "for i in range(n):\n    pass", "if n > 3:\n    pass",
    "for k in range(0, n, 0):\n    pass", "while True:\n    pass", "with n:\n    pass",
)  # fmt: skip


def damage(text: str, draw: Random) -> str:
    """The source with one to three nodes of its tree changed."""
    tree = ast.parse(text)
    for _ in range(draw.choice((1, 1, 2, 3))):
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        if not functions:
            break
        function = draw.choice(functions)
        (_change_statement if draw.random() < 0.3 else _change_expression)(function, draw)
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _change_statement(function: ast.FunctionDef, draw: Random) -> None:
    bodies = [
        node.body for node in ast.walk(function) if isinstance(getattr(node, "body", None), list)
    ]
    body = draw.choice(bodies)
    k, other = draw.randrange(len(body)), draw.choice(draw.choice(bodies))
    match draw.randrange(6):
        case 0:
            body[k : k + 1] = [] if len(body) > 1 else [ast.Pass()]
        case 1:
            body.insert(k, copy.deepcopy(other))
        case 2:
            j = draw.randrange(len(body))
            body[k], body[j] = body[j], body[k]
        case 3:
            wrapper = ast.parse(draw.choice(_WRAPPERS)).body[0]
            wrapper.body, body[k] = [body[k]], wrapper
        case 4:
            text = draw.choice(["return", "return n", "break", "continue", "pass", "return 1.5"])
            body.insert(k, ast.parse(text).body[0])
        case _:
            body[k] = copy.deepcopy(other)


def _change_expression(function: ast.FunctionDef, draw: Random) -> None:
    nodes = [node for node in ast.walk(function) if _holds_something(node)]
    if not nodes:
        return
    node = draw.choice(nodes)
    names = [other.id for other in ast.walk(function) if isinstance(other, ast.Name)]
    if isinstance(node, ast.Constant):
        near = [node.value + 1, node.value - 1, -node.value] if type(node.value) is int else []
        node.value = draw.choice([*_CONSTANTS, *near * 6])
    elif isinstance(node, ast.Name):
        node.id = draw.choice(names)
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        if isinstance(node, ast.BinOp) and draw.random() < 0.3:
            node.left, node.right = node.right, node.left
        else:
            node.op = draw.choice(_OPERATORS)()
    elif isinstance(node, ast.Compare):
        node.ops = [draw.choice(_COMPARES)() for _ in node.ops]
    elif isinstance(node, ast.Call):
        pieces = [node.args, node.args + node.args[:1], node.args[:-1], node.args[::-1]]
        node.args = draw.choice(pieces)
    elif isinstance(node, ast.Subscript):
        node.slice = draw.choice(
            [ast.Name(draw.choice(names), ast.Load()), ast.Constant(draw.choice(_CONSTANTS))]
        )
    elif isinstance(node, ast.arg):
        node.arg = draw.choice([node.arg, draw.choice(names)])
        texts = [
            "i8",
            "u8",
            "i32",
            "u64",
            "f32",
            "f64",
            "boolean",
            "i64[n]",
            "f32[n]",
            "i32[:]",
            "f64[3, n]",
        ]
        node.annotation = ast.parse(draw.choice(texts), mode="eval").body


def _holds_something(node: ast.AST) -> bool:
    kinds = (
        ast.Constant,
        ast.Name,
        ast.BinOp,
        ast.AugAssign,
        ast.Compare,
        ast.Call,
        ast.Subscript,
        ast.arg,
    )
    return isinstance(node, kinds)
