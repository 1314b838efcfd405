"""Views of machine code as it comes into each form: `virtual`, `allocated` and what else there is.

A file NAME.sir may hold what is printed: passes go on from there.
"""

from __future__ import annotations

from functools import partial

from compiler import Compilation
from compiler.ir.module import IR_FORMS, Module
from compiler.ir.printer import print_function, print_module
from compiler.pass_lists import all_passes
from machines.diagnostics import input_error
from machines.levels import level_of
from sim.views import COMPILED, Shown, View


def show_form(form: str, compilation: Compilation) -> Shown:
    """The functions of a program as they are in the source if that is in the form, else after the
    first pass that leaves them in it: what is printed goes on behind that pass."""
    steps, source = compilation.report.steps, compilation.module
    texts: dict[str, str] = {}
    if source.form == form:
        names = [function.name for function in compilation.functions]
        texts = {name: print_function(source.functions[name]) for name in names}
    for step in steps:
        if step.form == form:
            texts.setdefault(step.function, step.printed)
    if not texts:
        name, forms = compilation.machine.name, dict.fromkeys(step.form for step in steps)
        message = f"no pass leaves code of this program in form '{form}' for {name}"
        known = ", ".join(known for known in forms if known not in IR_FORMS)
        raise input_error(message, hint=f"they leave: {known}" if known else "--show asm prints it")
    family = compilation.machine.family
    head = print_module(Module(buffers=source.buffers, form=form, family=family))
    content = [{"function": function, "text": text} for function, text in texts.items()]
    shown = {"form": form, "family": family, "functions": content}
    return Shown("\n".join([head, *texts.values()]), shown)


def _forms() -> list[str]:
    """The forms that machine code goes through, of whatever kind of machine."""
    left = (form for plugin in all_passes() for form in plugin.forms.values())
    return [f for f in dict.fromkeys(left) if f not in IR_FORMS and level_of(f) is None]


VIEWS = tuple(
    View(form, f"Machine code as it comes into form '{form}'.", COMPILED, partial(show_form, form))
    for form in _forms()
)
