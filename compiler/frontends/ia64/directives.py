"""Directives that do nothing here, and why; what the others do is in `source`."""

from __future__ import annotations

UNWINDING = (
    ".prologue", ".body", ".save", ".save.b", ".save.f", ".save.g", ".save.gf", ".savepsp",
    ".savesp", ".fframe", ".vframe", ".vframesp", ".vframepsp", ".restore", ".restorereg",
    ".restorereg.p", ".spill", ".spillreg", ".spillreg.p", ".spillsp", ".spillsp.p", ".spillpsp",
    ".spillpsp.p", ".altrp", ".unwabi", ".unwentry", ".personality", ".handlerdata",
    ".label_state", ".copy_state",
)  # fmt: skip
"""How debuggers and exceptions find the caller's registers."""

LINKING = (
    ".type", ".size", ".file", ".line", ".ln", ".loc", ".weak", ".hidden", ".local",
    ".protected", ".internal", ".proc", ".entry", ".radix", ".psr", ".msb", ".lsb", ".xdata4",
    ".xdata8",
)  # fmt: skip
"""Kinds, sizes and visibility of symbols, debug lines, tables of exceptions."""

CHECKING = (
    ".explicit", ".default", ".mem.offset", ".pred.safe_across_calls", ".reg.val",
    ".serialize.data", ".serialize.instruction",
)  # fmt: skip
"""The mode that is the only one here, and what the checker of GNU as may take for granted."""

WITHOUT_EFFECT = (*UNWINDING, *LINKING, *CHECKING)

FLUSHING = (".endp", ".ident")
"""After these GNU as begins a new bundle, and a new group."""

AUTOMATIC = (".auto",)
AUTOMATIC_HINT = (
    "in automatic mode the assembler would put the stops: write them (;;) and drop this line"
)
"""GNU as takes this mode too unless it is called with -x, as compilers call it."""

MACROS = (
    ".macro", ".endm", ".exitm", ".rept", ".irp", ".irpc", ".endr", ".if", ".ifdef", ".ifndef",
    ".else", ".elseif", ".endif", ".include", ".incbin", ".altmacro", ".purgem",
)  # fmt: skip
MACROS_HINT = "expand macros before: cpp -x assembler-with-cpp FILE.S, or m4 FILE.asm"

TEXT_SECTIONS = (".text",)
DATA_SECTIONS = (".data", ".bss", ".rodata", ".sdata", ".sbss", ".srodata")
IGNORED_SECTIONS = (".comment", ".note", ".debug", ".IA_64.unwind", ".stab", ".eh_frame")
"""Sections that nothing loads; what stands in them is passed over."""


def section_kind(name: str) -> str | None:
    """'text', 'data', 'ignored', or None for a section with another beginning."""
    kinds = (("text", TEXT_SECTIONS), ("data", DATA_SECTIONS), ("ignored", IGNORED_SECTIONS))
    for kind, names in kinds:
        beginning = "" if kind == "ignored" else "."
        if any(name == known or name.startswith(known + beginning) for known in names):
            return kind
    return None
