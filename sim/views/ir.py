"""View `ir`: a function as text that can be read again."""

from __future__ import annotations

from compiler.ir.module import Function, Module
from compiler.ir.printer import print_module
from machines.diagnostics import input_error
from sim.views import SOURCE, Shown, View


def show_ir(function: Function) -> Shown:
    """The function with the buffers of its program; raises InputError for code of a level that no
    pass has lowered."""
    if not function.blocks:
        message = f"@{function.name} is no IR: it is code of a level above, which nothing lowered"
        raise input_error(message, function.location, hint="its level has views of its own")
    text = print_module(Module({function.name: function}, function.buffers))
    return Shown(text, {"ir": text})


VIEWS = (View("ir", "The IR of a function, as it is written or after --passes.", SOURCE, show_ir),)
