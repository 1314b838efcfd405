"""Front end for IR text (`.sir`), the IR as it is printed."""

from compiler.frontends import Frontend

PLUGIN = Frontend(
    "ir_text",
    (".sir",),
    "The compiler's own IR as text.",
    "compiler.frontends.ir_text.frontend:read",
)
