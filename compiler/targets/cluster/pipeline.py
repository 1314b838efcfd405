"""The order of the passes for chips of clusters."""

PASSES = (
    "leave_ssa",
    "inline_calls",
    "simplify_control_flow",
    "construct_ssa",
    "propagate_constants",
    "propagate_copies",
    "number_values",
    "remove_repeated_commands",  # first: what is done before a loop stays, and what is in it goes
    "move_invariants",
    "remove_dead_commands",  # what only dead commands compute goes next
    "remove_dead_code",
    "leave_ssa",
    "simplify_control_flow",
    "allocate_scratchpads",
    "place_waits",
)
