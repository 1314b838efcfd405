"""Level `network`: neural networks, operators on tensors of known shapes."""

from machines.levels import Level

PLUGIN = Level(
    "network",
    parse="compiler.levels.network.programs:parse",
    print="compiler.levels.network.programs:text_of",
    verify="compiler.levels.network.programs:findings",
    interpret="compiler.levels.network.programs:interpret",
    passes="compiler.levels.network.passes:PASSES",
    binding="sim.levels.network.binding:BINDING",
    views="sim.levels.network.views:VIEWS",
)
