"""The syntax tree of a file of kernels or functions, by Python's own parser."""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from collections import Counter

from compiler.python_syntax.errors import Source
from machines.diagnostics import InputError, Location, input_error


def parse(source: Source) -> ast.Module:
    """The syntax tree of a file; raises InputError where Python itself finds a fault."""
    text, file = source.text, source.file
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        location = Location(file, error.lineno or 1, max(1, error.offset or 1))
        too_long = "integer string conversion" in error.msg
        problem = "an integer has more than 4300 digits" if too_long else error.msg
        raise input_error(f"not Python: {problem}", location, source=text) from None
    except ValueError as error:
        raise input_error(f"not Python: {error}", Location(file, 1)) from None
    except (RecursionError, MemoryError):
        source.report_nesting(_most_nested(source))
        raise InputError(source.findings) from None


def is_marked(node: ast.stmt, word: str) -> bool:
    """Whether it is a function with such a decorator."""
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(decorator, ast.Name) and decorator.id == word
        for decorator in node.decorator_list
    )


def name_of(source: Source, node: ast.FunctionDef) -> ast.Name:
    """A syntax node that stands where the function's name does."""
    name = ast.Name(node.name, ast.Store())
    name.lineno = name.end_lineno = node.lineno
    name.col_offset = node.col_offset + len("def ")
    name.end_col_offset = name.col_offset + len(node.name.encode())
    return name


def _most_nested(source: Source) -> Location:
    """The statement with the most operators and words: the one Python's own parser gives up on.

    It does not say where; only chains of operators, brackets and words nest without a limit.
    """
    tokens: Counter[tuple[int, int]] = Counter()
    first = None  # where the statement begins
    for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
        if token.type == tokenize.NEWLINE:
            first = None
        elif token.type in (tokenize.NAME, tokenize.OP):
            first = first or token.start
            tokens[first] += token.string != ","
    line, column = max(tokens, key=tokens.get)
    return Location(source.file, line, column + 1)
