"""Random loops whose body branches forward at random between its first and its last block.

Blocks compute on a few variables, load, store and divide (which may fault), some of it guarded, and
every block ends in a jump or in a branch to any two blocks behind it, so that ways meet where they
like.  The same seed gives the same text in every process.
"""

from __future__ import annotations

from tests.programs.random_text import RandomText

HEAD = """
cells: i64[16] in global = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]

func @body(a: i64, b: i64, n: i64) -> i64 {
entry:
    c = const.i64 5
    d = const.i64 -2
    p = const.i1 0
    q = const.i1 1
    base = address.ptr cells
    jump block_0
"""
ROUND = """
    n = sub.i64 n, 1
    more = gt_s.i64 n, 0
    branch more, block_0, done
"""
TAIL = """
out:
    b = add.i64 b, 77
    jump done
done:
    a = xor.i64 a, b
    c = mul.i64 c, 31
    a = add.i64 a, c
    a = xor.i64 a, d
    return a
}
"""
NUMBERS, CONDITIONS = "abcd", "pq"
KINDS = ("sum", "sum", "sum", "compare", "load", "store", "store", "logic", "logic")


class RandomBranches(RandomText):
    """`text` is the program; with `exits` its loop may be left and go on from any block."""

    def __init__(self, seed: int, exits: bool = False):
        super().__init__(seed)
        self.exits = ("done", "done", "out") if exits else ()
        blocks = self.random.randrange(3, 10)
        for number in range(blocks):
            self.block(f"block_{number}")
            for _ in range(self.random.randrange(4)):
                self.statement()
            if number < blocks - 1:
                self.leave(number, blocks)
        self.text = HEAD + "\n".join(self.lines) + ROUND + TAIL

    def leave(self, number: int, blocks: int) -> None:
        ahead = [f"block_{k}" for k in range(number + 1, min(number + 4, blocks))]
        then, other = self.random.choice(ahead), self.random.choice(ahead)
        if self.exits and self.chance(0.3):
            then = self.random.choice(self.exits)
        if self.exits and self.chance(0.1):
            self.lines += ROUND.strip("\n").splitlines()
        elif self.chance(0.15):
            self.emit(f"jump {then}")
        else:
            if self.chance(0.6):
                self.compare()
            self.emit(f"branch {self.random.choice(CONDITIONS)}, {then}, {other}")

    def statement(self) -> None:
        choose, guard = self.random.choice, ""
        if self.chance(0.2):
            guard = f"@{choose(('', '!'))}{choose(CONDITIONS)} "
        x, y, z = (choose(NUMBERS) for _ in range(3))
        kind = "divide" if self.chance(0.03) else choose(KINDS)
        if kind == "sum":
            self.emit(f"{guard}{x} = {choose(('add', 'sub', 'xor'))}.i64 {y}, {choose((z, '3'))}")
        elif kind == "compare":
            self.compare(guard)
        elif kind == "logic":
            self.emit(f"{guard}{choose(CONDITIONS)} = {choose(('and', 'or', 'xor'))}.i1 p, q")
        elif kind == "divide":
            self.emit(f"{guard}{x} = div_s.i64 {y}, {z}")
        else:
            at, where = self.fresh("at"), self.fresh("where")
            self.emit(f"{at} = and.i64 {y}, {choose(('120', '120', '504'))}")
            self.emit(f"{where} = add.ptr base, {at}")
            access = f"{x} = load.i64 {where}" if kind == "load" else f"store.i64 {where}, {x}"
            self.emit(guard + access)

    def compare(self, guard: str = "") -> None:
        choose = self.random.choice
        relation = choose(("lt_s", "ge_u", "eq", "ne", "le_s"))
        x, y = choose(NUMBERS), choose((*NUMBERS, "0"))
        self.emit(f"{guard}{choose(CONDITIONS)} = {relation}.i64 {x}, {y}")
