"""Level `arrays`: pure functions of scalars, tuples and (nested) arrays, as graphs."""

from machines.levels import Level

PLUGIN = Level(
    "arrays",
    parse="compiler.levels.arrays.programs:parse",
    print="compiler.levels.arrays.programs:text_of",
    verify="compiler.levels.arrays.programs:findings",
    interpret="compiler.levels.arrays.programs:interpret",
    passes="compiler.levels.arrays.passes:PASSES",
    binding="sim.levels.arrays.binding:BINDING",
    views="sim.levels.arrays.views:VIEWS",
    plugins="compiler.levels.arrays.rule_files:PLUGINS",
    mark="function",
    scalars="compiler.levels.arrays.scalar_functions:find_in",
)
