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
#define __device__
#define __noinline__ __attribute__((noinline))
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
        self.draw, self.loops, self.seed = Random(seed), 0, seed
        self.functions = self.draw.randrange(1, 4) if seed % 2 else 0
        types = ("int", "unsigned", *(self.draw.choice(INTEGERS + REALS) for _ in range(5)), *REALS)
        self.types = {f"v{k}": t for k, t in enumerate(types)}
        body = "".join(self.statements(3, 1) for _ in range(3))
        head = "long long *out, double *reals, const int *in, const float *fin"
        kernel = f'extern "C" __global__ void k{seed}({head})\n{{\n'
        self.text = f"{self.called()}{kernel}{self.begin()}{body}{self.end()}}}\n"

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

    # Functions

    def called(self) -> str:
        """The functions that call each other, and a table of them."""
        if not self.functions:
            return ""
        head = "(int a, unsigned b, int depth, unsigned *up)"
        names = [f"f{self.seed}_{k}" for k in range(self.functions)]
        lines = [f"__device__ __noinline__ long long {name}{head};" for name in names]
        lines.append(f"typedef long long (*P{self.seed}){head};")
        table = ", ".join(names)
        lines.append(f"static __device__ P{self.seed} t{self.seed}[] = {{{table}}};")
        return "\n".join(lines) + "\n" + "".join(map(self.function, names))

    def function(self, name: str) -> str:
        draw = self.draw
        calls = "".join(self.inner_call() for _ in range(draw.randrange(1, 4)))
        head = (
            f"__device__ __noinline__ long long {name}(int a, unsigned b, int depth, unsigned *up)"
        )
        return f"""{head}
{{
    unsigned own[4] = {{b, (unsigned)a, {draw.randrange(9)}u, up[b & 3]}};
    if (depth <= 0) return (long long)(own[a & 3] * 3u + b);
    unsigned long long s = b;
{calls}    return (long long)(s * 3ull + own[(a ^ depth) & 3]);
}}
"""

    def inner_call(self) -> str:
        draw = self.draw
        less, up = draw.choice(("depth - 1", "depth - 2")), draw.choice(("own", "up"))
        given = f"(int)own[{draw.randrange(4)}], b * {draw.randrange(9)}u + 1u, {less}, {up}"
        text = f"    s {draw.choice(('+=', '^='))} {self.callee('b')}({given});\n"
        if draw.random() < 0.4:
            text = f"    own[s & 3] += {draw.randrange(99)};\n{text}"
        return (
            f"    if ((b ^ a) & {draw.randrange(1, 8)})\n    {text}"
            if draw.random() < 0.4
            else text
        )

    def callee(self, index: str) -> str:
        """One of the functions by its name, or out of the table."""
        if self.draw.random() < 0.4:
            return f"t{self.seed}[{index} % {self.functions}]"
        return f"f{self.seed}_{self.draw.randrange(self.functions)}"

    def call(self) -> str:
        return f"{self.callee('v1')}(v0, v1, {self.draw.randrange(4)}, array)"

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
        if kind == 4 and self.functions and draw.random() < 0.7:
            return f"{space}v1 ^= (unsigned){self.call()};\n"
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
