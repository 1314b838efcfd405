"""A long program whose branches its data decide: no loop of a few instructions shows their cost.

The body of its one loop is diamonds, one behind the other.  A linear congruential generator (the
multiplier and increment of Knuth's MMIX) steps before each, and a high bit of it says which arm
runs: half of the branches are taken, in an order that nothing can foresee.  The arms compute with
integers, load from and store to a buffer of 4 KB, and are too long for a compiler to guard them.
"""

from __future__ import annotations

from tests.programs.random_text import RandomText

WORDS = 512
STATEMENTS = 12
"""Of an arm."""
VARIABLES = tuple(f"v{number}" for number in range(8))
OPERATIONS = ("add", "sub", "xor", "or", "and", "add", "xor", "mul")
HEAD = f"""
words: i64[{WORDS}] in global

func @deciding(rounds: i64) -> i64 {{
entry:
    base = address.ptr words
    x = const.i64 88172645463325252
    round = const.i64 0
"""


class DecidingProgram(RandomText):
    """`text` is IR, `@deciding(rounds: i64) -> i64`, with so many diamonds."""

    def __init__(self, diamonds: int, seed: int = 1):
        super().__init__(seed)
        for number, name in enumerate(VARIABLES):
            self.emit(f"{name} = const.i64 {3 * number + 1}")
        self.emit("jump head")
        self.block("head")
        for _ in range(diamonds):
            self.diamond()
        self.emit("round = add.i64 round, 1")
        self.emit("more = lt_s.i64 round, rounds")
        self.emit("branch more, head, done")
        self.block("done")
        for name in VARIABLES:
            self.emit(f"x = xor.i64 x, {name}")
        self.emit("return x")
        self.text = HEAD + "\n".join(self.lines) + "\n}\n"

    def diamond(self) -> None:
        left, right, join = self.fresh("left"), self.fresh("right"), self.fresh("join")
        self.emit("x = mul.i64 x, 6364136223846793005")
        self.emit("x = add.i64 x, 1442695040888963407")
        self.emit(f"bit = and.i64 x, {1 << self.random.randrange(40, 60)}")
        self.emit("taken = eq.i64 bit, 0")
        self.emit(f"branch taken, {left}, {right}")
        for arm in (left, right):
            self.block(arm)
            self.arm()
            self.emit(f"jump {join}")
        self.block(join)

    def arm(self) -> None:
        self.emit("index = shr_u.i64 x, 55")
        self.emit("offset = shl.i64 index, 3")
        self.emit("place = add.ptr base, offset")
        self.emit(f"{self.random.choice(VARIABLES)} = load.i64 place")
        for _ in range(STATEMENTS):
            target, a, b = (self.random.choice(VARIABLES) for _ in range(3))
            self.emit(f"{target} = {self.random.choice(OPERATIONS)}.i64 {a}, {b}")
        self.emit(f"store.i64 place, {self.random.choice(VARIABLES)}")
