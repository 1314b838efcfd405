"""Whether less of a figure is better, or more: known from what it is made of.

    better = Directions(study)
    better.is_more("speedup")           # derived as "base_cycles / cycles": True

Less time is better: fewer cycles, fewer seconds.  A derived figure goes with its expression, all
numbers in it taken as positive; figures of the base, axes and counters are what it is measured by.
Where that tells nothing, or both, less is better, unless the study says otherwise.
"""

from __future__ import annotations

import ast

from sim.studies.figures import BASE, CYCLES, SECONDS, Derived
from sim.studies.study_file import Study

LESS, NEITHER, MORE = -1, 0, 1
"""What is better of a figure."""


class Directions:
    """Those of a study's figures."""

    def __init__(self, study: Study):
        self._study = study
        self._expressions = Derived(study).expressions

    def is_more(self, figure: str) -> bool:
        """Whether more of it is better."""
        form = self._study.form
        if figure in form.more_is_better or figure in form.less_is_better:
            return figure in form.more_is_better
        return self._of_name(figure) == MORE

    def _of_name(self, name: str) -> int | None:
        if name in (CYCLES, SECONDS):
            return LESS
        if name.startswith(BASE) or name not in self._expressions:
            return NEITHER
        return self._of(self._expressions[name].tree)

    def _of(self, node: ast.AST) -> int | None:
        """What is better of an expression; None where its parts contradict each other."""
        match node:
            case ast.Name(id=name):
                return self._of_name(name)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return _against(self._of(inner))
            case ast.UnaryOp(operand=inner):
                return self._of(inner)
            case ast.BinOp(left=left, op=ast.Sub() | ast.Div() | ast.FloorDiv(), right=right):
                return _together(self._of(left), _against(self._of(right)))
            case ast.BinOp(left=left, op=ast.Add() | ast.Mult(), right=right):
                return _together(self._of(left), self._of(right))
            case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant()):
                return self._of(left)
        parts = {self._of(inner) for inner in ast.iter_child_nodes(node)}
        return NEITHER if parts <= {NEITHER} else None


def _against(one: int | None) -> int | None:
    return None if one is None else -one


def _together(one: int | None, other: int | None) -> int | None:
    if one is None or other is None or one == -other != NEITHER:
        return None
    return one or other
