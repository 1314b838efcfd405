"""Prediction of branches."""

from numba import int64

from sim.cores.epic import state as at
from sim.cores.jit import inlined


@inlined
def foresee(state, syllable, flags, taken, target, following):
    """Predict a branch, learn from it, and say whether the prediction was right.

    A branch with a dynamic hint has an entry of past outcomes, at its syllable number modulo the
    entries; entry and outcomes together choose a two-bit counter, modulo the counters, which begins
    on the weak side of the hint.  Static hints are followed.  The target of a direct branch is
    known; a return goes where the return stack, a ring, says; other indirect branches where the
    branch of that entry went last.

    target     bundle address it goes to, if taken
    following  address of the bundle after it, the return point of a call
    Returns PREDICTED if all was right, else WRONG_PATH or WRONG_TARGET.
    """
    parameters = state.parameters
    right = at.PREDICTED
    state.branches[at.PREDICTED] += 1
    if flags & at.COUNTED and parameters[at.PERFECT_COUNTED_LOOPS]:
        return right
    entry = syllable % parameters[at.HISTORY_ENTRIES]
    if flags & (at.CONDITIONAL | at.COUNTED):
        guess = flags & at.HINTED_TAKEN != 0
        if flags & at.DYNAMIC and parameters[at.LOCAL_HISTORY]:
            past = state.history[entry]
            slot = ((entry << parameters[at.HISTORY_BITS]) | past) % parameters[at.COUNTERS]
            strength = int64(state.counters[slot])
            if strength == at.UNTRAINED:  # the hint stands until the branch has shown itself
                strength = 2 if guess else 1
            guess = strength >= 2
            state.counters[slot] = min(3, strength + 1) if taken else max(0, strength - 1)
            mask = (1 << parameters[at.HISTORY_BITS]) - 1
            state.history[entry] = ((past << 1) | taken) & mask
        if guess != (taken != 0):
            right = at.WRONG_PATH
    if taken and flags & at.CALLS and parameters[at.RETURN_STACK]:
        state.returns[state.scalars[at.RETURN_TOP] % parameters[at.RETURN_STACK]] = following
        state.scalars[at.RETURN_TOP] += 1
    if taken and flags & at.INDIRECT:
        foreseen = state.targets[entry]
        if flags & at.RETURNS and parameters[at.RETURN_STACK] and state.scalars[at.RETURN_TOP] > 0:
            state.scalars[at.RETURN_TOP] -= 1
            foreseen = state.returns[state.scalars[at.RETURN_TOP] % parameters[at.RETURN_STACK]]
        state.targets[entry] = target
        if right == at.PREDICTED and foreseen != target:
            right = at.WRONG_TARGET
    if right != at.PREDICTED:
        state.branches[right] += 1
    return right
