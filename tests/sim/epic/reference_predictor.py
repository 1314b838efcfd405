"""Branch prediction of the plain model of the core's timing (see `reference_core`)."""

from __future__ import annotations

from collections import Counter

from machines.instructions.ia64_control import EXIT_ADDRESS
from machines.kinds.epic.fields import Epic
from machines.kinds.epic.program import BUNDLE_BYTES, CODE_BASE
from machines.operations.row import Label, Operation
from tests.sim.epic.reference_program import Step


class Predictor:
    """Branch prediction.

    A branch with a dynamic hint has a history of its last outcomes in a table indexed by syllable
    number; branch and history together choose a two-bit counter, which begins at the weak side of
    the hint.  A branch with a static hint follows it.  Unconditional branches are always taken.
    Targets: direct ones are known; a return goes where the return stack says, which knows the
    caller of the program; other indirect branches go where they went last.
    """

    def __init__(self, machine: Epic):
        self.of = machine.branches.predictor
        self.history: Counter[int] = Counter()
        self.strength: dict[int, int] = {}
        self.targets: dict[int, int] = {}
        self.returns: dict[int, int] = {0: EXIT_ADDRESS}
        self.depth = 1
        self.counts: Counter[str] = Counter()

    def foresees(self, step: Step, row: Operation, hint: str) -> bool:
        """Whether a branch goes as predicted; learns from it."""
        self.counts["ALL_PRED"] += 1
        counted = "ar.lc" in row.implicit_reads
        if counted and self.of.perfect_counted_loops:
            return True
        right_path = True
        if counted or step.is_guarded:
            right_path = self.direction(step.syllable, hint, step.taken) == step.taken
        right_target = not step.taken or self.target_is_right(step, row)
        if not right_path:
            self.counts["WRONG_PATH"] += 1
        elif not right_target:
            self.counts["WRONG_TARGET"] += 1
        return right_path and right_target

    def direction(self, syllable: int, hint: str, taken: bool) -> bool:
        """The predicted direction."""
        hinted = hint.endswith("tk")
        if hint.startswith("s") or self.of.kind == "static":
            return hinted
        entry = syllable % self.of.entries
        bits = self.of.history_bits
        past = self.history[entry]
        counter = ((entry << bits) + past) % self.of.counters
        strength = self.strength.get(counter, 2 if hinted else 1)
        self.strength[counter] = min(3, strength + 1) if taken else max(0, strength - 1)
        self.history[entry] = (2 * past + taken) % (1 << bits)
        return strength >= 2

    def target_is_right(self, step: Step, row: Operation) -> bool:
        """Whether a taken branch goes where it was thought to go."""
        size = self.of.return_stack
        if row.control == "call" and size:
            self.returns[self.depth % size] = CODE_BASE + BUNDLE_BYTES * (step.syllable // 3 + 1)
            self.depth += 1
        if any(isinstance(operand.kind, Label) for operand in row.operands):
            return True
        entry = step.syllable % self.of.entries
        foreseen = self.targets.get(entry, 0)
        if row.control == "return" and size and self.depth:
            self.depth -= 1
            foreseen = self.returns.get(self.depth % size, 0)
        self.targets[entry] = step.target
        return foreseen == step.target
