"""Front end for networks as text (`.net`); `compiler/levels/network` describes them."""

from compiler.frontends import Frontend

PLUGIN = Frontend(
    "net",
    (".net",),
    "Neural networks, as operators on tensors.",
    "compiler.levels.network.programs:read",
    level="network",
)
