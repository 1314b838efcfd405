"""Random assembly programs whose registers rotate and whose functions have frames.

function2:
  alloc r44 = ar.pfs, 2, 12, 3, 8      # eight rotate; r44 and r45 keep what the return needs
  mov r45 = b2                         # every other register of the frame gets a value
  … groups, loops by br.cloop, br.ctop, br.cexit, br.wtop, br.wexit, calls, itself again …
  mov ar.pfs = r44; mov b2 = r45; br.ret b2
"""

from __future__ import annotations

from tests.sim.epic.random_assembly import (
    DATA,
    FLOATS,
    FUNCTIONS,
    PREDICATES,
    Generator,
    Instruction,
)

DEPTH, LEFT = "r9", "r10"
"""Registers that count down how deep functions call themselves, and turns of while loops."""
AGAIN, DONE = "p14", "p15"


class FrameGenerator(Generator):
    """Loops that rotate, in functions that call each other and themselves."""

    def program(self) -> str:
        self.guards = [*PREDICATES, *(f"p{number}" for number in range(16, 30))]
        self.float_registers = [*FLOATS, *(f"f{number}" for number in range(32, 44))]
        self.lines = ["        .explicit", "        .text", "        .align 32", "main:"]
        self.frame(0)
        self.bundles(self.prologue(), ends=True)
        for _ in range(self.random.randint(1, 3)):
            depth = self.random.choice((1, 3, 10, 30))
            self.put("mii", [f"mov {DEPTH} = {depth}", "nop.i 0", "nop.i 0 ;;"])
            self.loop(level=0)
        self.leave(0)
        for level in range(1, FUNCTIONS + 1):
            self.lines.append(f"function{level}:")
            self.frame(level)
            self.body(level, groups=self.random.randint(1, 3))
            if self.random.random() < 0.3:
                self.loop(level)
            self.recurse(level)
            self.leave(level)
        size = self.window + 2 * 8176
        self.lines += ["        .data", "        .align 16", "buffer:", f"        .skip {size}"]
        return "\n".join(self.lines) + "\n"

    def frame(self, level: int) -> None:
        """Make a frame and give its registers values."""
        choose = self.random
        rotating = choose.choice((0, 8, 8, 16, 40))
        inputs = choose.randint(1, 3) if level else 0
        kept = max(inputs, rotating) + choose.randint(0, 6)
        outputs = choose.randint(1, 6)
        if choose.random() < 0.1:
            outputs = 96 - kept - 2
        self.state, self.link = f"r{32 + kept}", f"r{33 + kept}"
        sizes = f"{inputs}, {kept + 2 - inputs}, {outputs}, {rotating}"
        alloc = f"alloc {self.state} = ar.pfs, {sizes}"
        self.put("mii", [alloc, f"mov {self.link} = b{level}", "nop.i 0 ;;"])
        own = [*range(32, 32 + kept), *range(34 + kept, 34 + kept + outputs)]
        self.data = [*DATA, *(f"r{number}" for number in own)]
        given = {32} if level else set()
        self.bundles(
            [[Instruction("A", f"adds r{number} = {number * 7 % 101}, r0")]
             for number in own if number not in given],
            ends=True,
        )  # fmt: skip

    def leave(self, level: int) -> None:
        """Return to the caller's frame."""
        self.put("mii", ["nop.m 0", f"mov b{level} = {self.link}", f"mov ar.pfs = {self.state} ;;"])
        self.put("mib", ["nop.m 0", "nop.i 0", f"br.ret.sptk.many b{level} ;;"])

    def recurse(self, level: int) -> None:
        """Call the function itself while DEPTH lasts."""
        if self.random.random() < 0.6:
            self.put("mii", [f"adds {DEPTH} = -1, {DEPTH}", "nop.i 0", "nop.i 0 ;;"])
            test = f"cmp.lt {AGAIN}, {DONE} = r0, {DEPTH}"
            call = f"({AGAIN}) br.call.dptk.many b{level} = function{level} ;;"
            self.put("mib", [test, "nop.i 0", call])

    def loop(self, level: int) -> None:
        """A loop of any kind; those that rotate begin with any rotation."""
        kinds = ("ctop", "ctop", "cexit", "wtop", "wexit", "cloop")
        kind = self.random.choice(kinds[: 5 if level else 6])
        if kind == "cloop":
            super().loop(level)
            return
        most = 2 if level else 12
        count, stages = self.random.randint(0, most), self.random.randint(0, most // 2)
        self.put(
            "mii", [f"mov {LEFT} = {count}", f"mov ar.lc = {count}", f"mov ar.ec = {stages} ;;"]
        )
        if self.random.random() < 0.5:
            clear = self.random.choice(("clrrrb", "clrrrb.pr"))
            self.put("mfb", None, f"{clear} ;;")
        if self.random.random() < 0.7:
            self.put("mii", ["nop.m 0", "mov pr.rot = 0x50000", "nop.i 0 ;;"])
        label, out = self.label("kernel"), self.label("beyond")
        self.lines.append(f"{label}:")
        self.body(level, groups=self.random.randint(1, 4))
        hint = self.random.choice(("sptk", "dptk", "spnt", "dpnt"))
        guard = ""
        if kind[0] == "w":
            guard = f"({AGAIN}) "
            test = f"cmp.lt {AGAIN}, {DONE} = r0, {LEFT}"
            self.put("mii", [f"adds {LEFT} = -1, {LEFT}", "nop.i 0", "nop.i 0 ;;"])
            self.put("mii", [test, "nop.i 0", "nop.i 0" + self.random.choice(("", " ;;"))])
        shape = self.random.choice(("mib", "mfb", "mmb"))
        if kind.endswith("top"):
            self.put(shape, None, f"{guard}br.{kind}.{hint}.few {label} ;;")
            return
        self.put(shape, None, f"{guard}br.{kind}.{hint}.few {out} ;;")
        self.bundles(self.groups(), ends=True)
        self.put("mib", None, f"br.cond.sptk.few {label} ;;")
        self.lines.append(f"{out}:")
