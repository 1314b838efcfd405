"""View `asm`: the compiled program as an assembly listing."""

from __future__ import annotations

from compiler import Compilation
from sim.views import COMPILED, Shown, View


def show_assembly(compilation: Compilation) -> Shown:
    """The listing, as the machine's target writes it."""
    return Shown(compilation.listing, {"assembly": compilation.listing})


VIEWS = (View("asm", "The program as an assembly listing.", COMPILED, show_assembly),)
