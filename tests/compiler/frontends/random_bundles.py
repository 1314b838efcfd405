"""Random assembly without braces, with some, with templates, for `test_ia64_bundling`.

No instruction depends on another of its group: each writes a register that none has read.
"""

from __future__ import annotations

from random import Random

KINDS = {
    "A": ["add r{n} = r2, r3", "mov r{n} = 5", "and r{n} = 7, r4"],
    "I": ["shl r{n} = r2, r3", "extr.u r{n} = r4, 3, 5", "mov r{n} = b0", "zxt4 r{n} = r5"],
    "M": ["ld8 r{n} = [r6]", "st8 [r6] = r7", "ldfd f{n} = [r6]", "getf.sig r{n} = f4"],
    "F": ["fma.d f{n} = f4, f5, f6", "xma.l f{n} = f4, f5, f6", "fmerge.s f{n} = f4, f4"],
    "B": ["(p6) br.cond.sptk first", "(p7) br.ret.sptk b0"],
    "X": ["movl r{n} = 0x123456789"],
    "any": ["nop 0"],
    "rare": [
        "br.cloop.sptk first ;;",
        "alloc r{n} = ar.pfs, 0, 8, 0, 0 ;;",
        "break 3",
        "(p8) nop.b 0",
        "clrrrb ;;",
    ],
}
WEIGHTS = {"A": 8, "I": 4, "M": 6, "F": 4, "B": 2, "X": 1, "any": 1, "rare": 1}
FITS = {"m": "AM", "i": "AI", "f": "F", "b": "B", "l": "X"}
SHAPES = ("mii", "mmi", "mfi", "mmf", "mib", "mbb", "bbb", "mmb", "mfb", "mlx")
INNER_STOPS = {"mii": 1, "mmi": 0}


class Writer:
    """Writes one text."""

    def __init__(self, seed: int):
        self.random = Random(seed)
        self.number = 0
        self.labels = 0

    def text(self, size: int = 60) -> str:
        lines = ["\t.text", "\t.explicit", "\t.global first", "first:"]
        while len(lines) < size:
            draw = self.random.random()
            if draw < 0.62:
                lines.append(f"\t{self.instruction()}{self.stop(0.3)}")
            elif draw < 0.8:
                lines.append(self.bundle())
            elif draw < 0.88:
                lines.append(self.free_bundle())
            else:
                lines.append(self.between())
        return "\n".join([*lines, "\tnop 0"]) + "\n"

    def stop(self, chance: float) -> str:
        return " ;;" if self.random.random() < chance else ""

    def instruction(self, kinds: str | None = None) -> str:
        names = list(kinds) if kinds else list(WEIGHTS)
        weights = [WEIGHTS[name] for name in names]
        chosen = self.random.choice(KINDS[self.random.choices(names, weights)[0]])
        self.number = (self.number + 1) % 90
        return chosen.format(n=34 + self.number)

    def bundle(self) -> str:
        """Braces and a template, every slot or the first few of them given."""
        shape = self.random.choice(SHAPES)
        slots = [letter for letter in shape if letter != "x"]
        given = slots[: self.random.randint(1, len(slots))]
        lines = [self.instruction(FITS[letter]) for letter in given]
        if shape in INNER_STOPS and len(lines) > INNER_STOPS[shape] + 1:
            lines[INNER_STOPS[shape]] += self.stop(0.3)
        return "{ ." + shape + "\n\t" + "\n\t".join(lines) + "\n}" + self.stop(0.3)

    def free_bundle(self) -> str:
        """Braces without a template around instructions that some template takes."""
        kinds = [FITS[letter] for letter in self.random.choice(SHAPES) if letter != "x"]
        return "{ " + " ; ".join(self.instruction(k) for k in kinds) + " }" + self.stop(0.3)

    def between(self) -> str:
        """A label, a directive that flushes, or a template for what comes next."""
        self.labels += 1
        choices = [
            f"label{self.labels}:", f"{self.labels % 3}:", "\t.align 32", "\t;;",
            "\t.skip 16\n\tnop 0", "\t.ident \"x\"", "\t.data\n\t.text", "\t.body",
        ]  # fmt: skip
        if self.random.random() < 0.4:
            shape = self.random.choice([shape for shape in SHAPES if shape not in ("bbb", "mlx")])
            return f"\t.{shape}\n\t{self.instruction(FITS[shape[0]])}"
        return self.random.choice(choices)


def random_text(seed: int) -> str:
    """One text."""
    return Writer(seed).text()
