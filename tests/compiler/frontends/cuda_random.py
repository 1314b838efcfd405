"""Random kernels in CUDA C that mean the same in C++: no overflow of signed sums, no long shifts.

    extern "C" __global__ void k7(long long *out, double *reals, const int *in, const float *fin)

Each works on an integer of every width, two floats and a small array, through expressions, loops
with several exits, switches that fall through; thread i writes ten values behind out[10 * i].
"""

from __future__ import annotations

from random import Random

INTEGERS = ("int", "unsigned", "long long", "short", "unsigned char", "signed char")
REALS = ("float", "double")
VALUES = 10
"""That a thread writes: integers into `out`, others into `reals`."""
_LITERALS = ("1", "7", "-3", "255", "0x7fff", "123456789", "40000u", "5000000000ll", "i")

HOST = """#include <cmath>
#define __global__
static struct { unsigned x; } threadIdx, blockIdx, blockDim;
static int __popc(unsigned x) { return __builtin_popcount(x); }
extern "C" void stand(unsigned block, unsigned thread, unsigned threads)
{
    blockIdx.x = block; threadIdx.x = thread; blockDim.x = threads;
}
"""
"""What a C++ compiler needs before such kernels; `stand` says which thread it is."""


class RandomKernel:
    """The text of a kernel; the same seed gives the same one."""

    def __init__(self, seed: int):
        self.draw, self.loops = Random(seed), 0
        types = ("int", "unsigned", *(self.draw.choice(INTEGERS + REALS) for _ in range(5)), *REALS)
        self.types = {f"v{k}": t for k, t in enumerate(types)}
        body = "".join(self.statements(3, 1) for _ in range(3))
        head = "long long *out, double *reals, const int *in, const float *fin"
        self.text = (
            f'extern "C" __global__ void k{seed}({head})\n{{\n{self.begin()}{body}{self.end()}}}\n'
        )

    def begin(self) -> str:
        lines = ["    int i = blockIdx.x * blockDim.x + threadIdx.x;"]
        lines.append("    unsigned array[8] = {1, 2, 3, 4, 5, 6, 7, 8};")
        for k, (name, type) in enumerate(self.types.items()):
            source = "in" if type in INTEGERS else "fin"
            lines.append(f"    {type} {name} = ({type}){source}[(7 * i + {3 * k}) & 63];")
        return "\n".join(lines) + "\n"

    def end(self) -> str:
        lines = []
        for k, (name, type) in enumerate(self.types.items()):
            target = "out" if type in INTEGERS else "reals"
            lines.append(f"    {target}[{VALUES} * i + {k}] = {name};")
        return "\n".join([*lines, f"    out[{VALUES} * i + 9] = array[i & 7];"]) + "\n"

    # Expressions

    def leaf(self, types: tuple[str, ...]) -> str:
        names = [name for name, type in self.types.items() if type in types]
        if self.draw.random() < 0.7:
            return self.draw.choice(names)
        return self.draw.choice(_LITERALS if types is INTEGERS else ("1.5f", "-2.25", "0.125f"))

    def integer(self, depth: int) -> str:
        draw = self.draw
        if depth == 0 or draw.random() < 0.15:
            return self.leaf(INTEGERS)
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        wide = draw.choice(("unsigned", "unsigned long long"))
        forms = (
            f"(({draw.choice(INTEGERS[:3])})(({wide}){a} {draw.choice('+-*&|^')} ({wide}){b}))",
            f"((unsigned){a} << ({b} & 15))",
            f"({a} >> ({b} & 15))",
            f"({a} {draw.choice('/%')} (({b} & 31) + 1))",
            f"(({draw.choice(INTEGERS)}){a})",
            f"({a} {draw.choice(('<', '<=', '==', '!=', '>', '>='))} {b})",
            f"({a} {draw.choice(('&&', '||'))} {b} ? {self.integer(depth - 1)} : {b})",
            f"(~{a})",
            f"({self.real(depth - 1)} {draw.choice(('<', '>=', '=='))} {self.real(depth - 1)})",
            f"__popc((unsigned){a})",
        )
        return draw.choice((forms[0], *forms))

    def real(self, depth: int) -> str:
        draw = self.draw
        if depth == 0 or draw.random() < 0.15:
            return self.leaf(REALS)
        a, b = self.real(depth - 1), self.real(depth - 1)
        forms = (
            f"({a} {draw.choice('+-*')} {b})",
            f"(({draw.choice(REALS)})(short){self.integer(depth - 1)})",
            f"({self.integer(depth - 1)} > {self.integer(depth - 1)} ? {a} : {b})",
            f"fmin((double){a}, 100.0)",
        )
        return draw.choice((forms[0], *forms))

    # Statements

    def statements(self, depth: int, indent: int) -> str:
        return "".join(self.statement(depth, indent) for _ in range(self.draw.randrange(1, 4)))

    def statement(self, depth: int, indent: int) -> str:
        draw, space = self.draw, "    " * indent
        kind = draw.randrange(9) if depth else 0
        if kind < 4:
            name = draw.choice(list(self.types))
            if self.types[name] in INTEGERS:
                return f"{space}{name} {draw.choice(('=', '^='))} {self.integer(3)};\n"
            return f"{space}{name} {draw.choice(('=', '+='))} {self.real(3)};\n"
        if kind == 4:
            place, value = self.integer(1), self.integer(2)
            read = f"v0 ^= array[(v1 + {place}) & 7];"
            return f"{space}array[{place} & 7] += {value};\n{space}{read}\n"
        body = self.statements(depth - 1, indent + 1)
        if kind < 7:
            other = self.statements(depth - 1, indent + 1)
            return f"{space}if ({self.integer(2)}) {{\n{body}{space}}} else {{\n{other}{space}}}\n"
        if kind == 7:
            self.loops += 1
            index, leave = f"k{self.loops}", draw.choice(("break", "continue"))
            limit = f"(int)({self.integer(1)} & 7)"
            leave = f"{space}    if ({self.integer(1)}) {leave};\n"
            head = f"for (int {index} = 0; {index} < {limit}; {index}++)"
            return f"{space}{head} {{\n{leave}{body}{space}}}\n"
        cases = "".join(
            f"{space}case {k}: {{\n{self.statements(depth - 1, indent + 1)}{space}}} "
            f"{draw.choice(('break;', 'break;', ''))}\n"
            for k in range(draw.randrange(2, 6))
        )
        return f"{space}switch ({self.integer(1)} & 7) {{\n{cases}{space}}}\n"
