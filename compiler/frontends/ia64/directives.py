"""Directives that do nothing here, and why; what the others do is in `source`."""

from __future__ import annotations

import re

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

TEXT_SECTIONS = (".text", ".init", ".fini")
DATA_SECTIONS = (
    ".data", ".data1", ".bss", ".rodata", ".rodata1", ".sdata", ".sbss", ".srodata", ".tdata",
    ".tbss", ".init_array", ".fini_array", ".preinit_array",
)  # fmt: skip
"""Sections that GNU as knows without flags, and those that begin so: .text.hot."""
SHORT = (".text", ".data", ".bss", ".rodata", ".sdata", ".sbss")
"""Those that are directives too."""
SECTION_DIRECTIVES = (*SHORT, ".section", ".pushsection", ".subsection")
IGNORED_SECTIONS = (
    ".comment", ".note", ".debug", ".IA_64.unwind", ".stab", ".eh_frame", ".gcc_except_table",
)  # fmt: skip
"""What debuggers, linkers and exceptions read; it is passed over, whatever its flags."""
_FLAGS = re.compile(r"[aosweMSGTRxd?\d]*")


def section_kind(name: str, flags: str | None) -> str:
    """'text', 'data' or 'ignored', from a section's name and flags (None: it has none).

    What has unknown flags raises ValueError.  A section that nothing loads is ignored, as is every
    name that GNU as does not know if it has no flags.
    """
    if flags is not None and not _FLAGS.fullmatch(flags):
        raise ValueError(f"'{flags}' are not flags of a section")
    if name.startswith(IGNORED_SECTIONS):
        return "ignored"
    if flags is not None:
        return "text" if "x" in flags else "data" if "a" in flags else "ignored"
    for kind, names in (("text", TEXT_SECTIONS), ("data", DATA_SECTIONS)):
        if _begins(name, names):
            return kind
    return "ignored"


def _begins(name: str, known: tuple[str, ...]) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in known)


def is_common(name: str) -> bool:
    """Whether a section is one that programs are written in: what is odd there is a mistake."""
    return _begins(name, (*TEXT_SECTIONS, *DATA_SECTIONS))


def is_unknown(name: str) -> bool:
    """Whether GNU as does not know a section by its name."""
    return not is_common(name) and not name.startswith(IGNORED_SECTIONS)
