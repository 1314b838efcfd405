"""View `ir`: a function as text that can be read again."""

from __future__ import annotations

from compiler.ir.module import Function, Module
from compiler.ir.printer import print_module
from sim.views import SOURCE, Shown, View


def show_ir(function: Function) -> Shown:
    """The function with the buffers of its program."""
    text = print_module(Module({function.name: function}, function.buffers))
    return Shown(text, {"ir": text})


VIEWS = (View("ir", "The IR of a function, as it is written or after --passes.", SOURCE, show_ir),)
