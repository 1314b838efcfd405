"""The registers of a translated thread: in which variables a block of rows has their values.

    add.rn.f32 r1, r2, r3        f2 = f32_from_bits(r2)
                                 f3 = f32_from_bits(r3)
                                 f1 = round_f32(f2 + f3)
    add.s32    r1, r1, 1         r1 = bits_of_f32(f1)
                                 i1 = (r1 ^ 0x80000000) - 0x80000000
                                 r1 = (i1 + (1)) & 0xFFFFFFFF

`r` holds the bits of a register of 32 bits, an unsigned number, and is all there is where a block
begins; `i` is the signed number, `f` the f32, and for a pair under its first number `q` the signed
number of 64 bits and `g` the f64.
"""

from __future__ import annotations

from collections.abc import Callable

from machines.operations.row import Lane

WORD = "0xFFFFFFFF"
SIGN64 = "0x8000000000000000"
FORMS = {
    "s32": "i", "u32": "r", "b32": "r", "f32": "f", "s64": "q", "u64": "q", "b64": "q", "f64": "g",
}  # fmt: skip
"""Lane type -> the form in which it is read and written; those of 16 bits go by way of `r`."""
FROM_WORD = {"i": "(r{n} ^ 0x80000000) - 0x80000000", "f": "f32_from_bits(r{n})"}
TO_WORD = {"i": f"i{{n}} & {WORD}", "f": "bits_of_f32(f{n})"}


def words(lane: Lane, n: int) -> tuple[int, ...]:
    """The registers of 32 bits that an operand touches."""
    if lane.type == "pred" or n < 0:
        return ()
    return (n, n + 1) if lane.file == "b64" else (n,)


class RegisterForms:
    """Which forms of which registers are there; `line(depth, text)` takes the code that makes one.

    forms  register -> its forms, where that is not just `r`; the second half of a pair has 'half'
    """

    def __init__(self, line: Callable[[int, str], None]):
        self.line = line
        self.forms: dict[int, set[str]] = {}

    def start(self) -> None:
        """A block begins."""
        self.forms = {}

    def value(self, depth: int, kind: str, n: int) -> str:
        """An expression of what an operand of this kind reads in register n."""
        if kind == "pred":
            return f"p{n}"
        if kind[1:] == "16":
            self.to_word(depth, n)
            low = f"(r{n} & 0xFFFF)"
            return low if kind[0] != "s" else f"(({low} ^ 0x8000) - 0x8000)"
        form = FORMS[kind]
        have = self.forms.get(n, {"r"})
        if form in have:
            return f"{form}{n}"
        if form == "r":
            self.to_word(depth, n)
            return f"r{n}"
        if form in "if":
            self.to_word(depth, n)
            self.line(depth, f"{form}{n} = {FROM_WORD[form].format(n=n)}")
        elif form == "q" and "g" in have:
            self.line(depth, f"q{n} = bits_of_f64(g{n})")
        elif form == "g" and "q" in have:
            self.line(depth, f"g{n} = f64_from_bits(q{n})")
        else:
            for word in (n, n + 1):
                self.to_word(depth, word)
            self.line(depth, f"q{n} = ((r{n + 1} << 32 | r{n}) ^ {SIGN64}) - {SIGN64}")
            self.forms.setdefault(n, {"r"}).add("q")
            if form == "g":
                self.line(depth, f"g{n} = f64_from_bits(q{n})")
        self.forms.setdefault(n, {"r"}).add(form)
        return f"{form}{n}"

    def to_word(self, depth: int, n: int) -> None:
        """Bring register n into its variable `r`."""
        have = self.forms.get(n)
        if have is None or "r" in have:
            return
        for form, text in TO_WORD.items():
            if form in have:
                self.line(depth, f"r{n} = {text.format(n=n)}")
                have.add("r")
                return
        low = n if have & {"q", "g"} else n - 1  # of its pair
        forms = self.forms[low]
        if "q" not in forms:
            self.line(depth, f"q{low} = bits_of_f64(g{low})")
            forms.add("q")
        if n == low:
            self.line(depth, f"r{n} = q{low} & {WORD}")
        else:
            self.line(depth, f"r{n} = q{low} >> 32 & {WORD}")
        have.add("r")

    def forget(self, depth: int, n: int) -> None:
        """Register n is about to be written: the other half of a pair it is in must not go."""
        for low, other in ((n, n + 1), (n - 1, n - 1)):
            if self.forms.get(low, set()) & {"q", "g"}:
                self.to_word(depth, other)
                self.forms[low] -= {"q", "g"}
        self.forms.pop(n, None)

    def keep(self, depth: int, lane: Lane, n: int, name: str) -> None:
        """Put the result w_<name> into register n."""
        kind = lane.type
        if kind == "pred":
            self.line(depth, f"p{n} = w_{name}")
            return
        if lane.file == "b64":
            for word in (n, n + 1):
                self.forget(depth, word)
            value = f"w_{name}" if kind == "f64" else f"wrap(w_{name})"
            self.line(depth, f"{FORMS[kind]}{n} = {value}")
            self.forms[n], self.forms[n + 1] = {FORMS[kind]}, {"half"}
            return
        self.forget(depth, n)
        if kind == "f32":
            self.line(depth, f"f{n} = w_{name}")
            self.forms[n] = {"f"}
            return
        mask = "0xFFFF" if kind[1:] == "16" else WORD
        self.line(depth, f"r{n} = w_{name} & {mask}")
        self.forms[n] = {"r"}
