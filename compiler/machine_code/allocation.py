"""Register allocation: colour; if some find no register, keep them elsewhere, and again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from compiler.ir.module import Function, Guard
from compiler.machine_code.interference import Interference
from compiler.machine_code.liveness import liveness_of
from compiler.machine_code.operands import Operands
from compiler.machine_code.spilling import Spiller
from machines.diagnostics import InputError


class Allocator(ABC):
    """Gives every virtual register of a function one of the machine.

    graph     the interference graph as it is now
    spiller   what writes the code around values that live elsewhere
    """

    graph: Interference
    spiller: Spiller

    def __init__(self, function: Function, operands: Operands):
        self.function = function
        self.operands = operands

    # ── what a target says ───────────────────────────────────────────────────────────────────

    @abstractmethod
    def colour(self) -> tuple[dict[str, str], list[list[str]]]:
        """Registers of the machine by virtual one, and those that found none, in groups of which
        each shares one register."""

    @abstractmethod
    def refusal(self, file: str) -> InputError:
        """What to raise if the registers of a file are too few even with everything spilled."""

    def interference(self) -> Interference:
        """The graph of the function as it is."""
        return Interference(self.function, liveness_of(self.operands)(self.function))

    def must_stay(self, group: Sequence[str]) -> bool:
        """Whether no register of a group can be spilled, or spilled again."""
        return self.spiller.temporaries.issuperset(group)

    def split(self, colours: Mapping[str, str], homeless: Sequence[Sequence[str]]) -> bool:
        """Change the function so that other registers can be spilled, if that is to be done
        instead of spilling those that found none; whether it was done."""
        return False

    # ── what every target does ───────────────────────────────────────────────────────────────

    def allocate(self, rounds: int) -> dict[str, str]:
        """Let every instruction name registers of the machine, spilling at most `rounds` times;
        returns that of each virtual one.

        Raises InputError if the registers cannot hold the code.
        """
        self.graph = self.interference()
        file = next(iter(self.operands.banks))
        for _ in range(rounds):
            colours, homeless = self.colour()
            if not homeless:
                _rename(self.function, self.operands, colours)
                return colours
            files = self.graph.files
            file = files[homeless[0][0]]
            if self.split(colours, homeless):
                self.graph = self.interference()
                continue
            stuck = [group for group in homeless if self.must_stay(group)]
            if stuck:
                raise self.refusal(files[stuck[0][0]])
            self._spill([name for group in homeless for name in group])
        raise self.refusal(file)

    def _spill(self, names: list[str]) -> None:
        lasting = self.spiller.lasting
        changed = self.spiller.spill(names, self.graph.files)
        if self.spiller.lasting > lasting:
            self.graph = self.interference()
        else:
            self.graph.spilled(names, changed)


def _rename(function: Function, operands: Operands, colours: Mapping[str, str]) -> None:
    """Let every instruction name registers of the machine, and drop copies onto themselves."""

    def new(name: str) -> str:
        return colours[name] if operands.is_virtual(name) else name

    for block in function.blocks.values():
        for instruction in block.instructions:
            guard = instruction.guard
            instruction.results = tuple(map(new, instruction.results))
            instruction.operands = instruction.operands_with(new)
            instruction.guard = guard and Guard(new(guard.name), guard.negated)
        block.instructions = [
            i for i in block.instructions if i.results != (operands.move_source(i),)
        ]
    function.types = {}
    function.version += 1
