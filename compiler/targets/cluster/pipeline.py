"""The order of the passes for chips of clusters."""

PASSES = (
    "leave_ssa",
    "inline_calls",
    "simplify_control_flow",
    "construct_ssa",
    "propagate_constants",
    "propagate_copies",
    "number_values",
    "remove_repeated_commands",  # before dead ones: what a loop does again goes, not what was first
    "move_invariants",
    "remove_dead_code",
    "remove_dead_commands",  # with what only their bounds and scalars need
    "leave_ssa",
    "simplify_control_flow",
    "allocate_scratchpads",
    "place_waits",
)
