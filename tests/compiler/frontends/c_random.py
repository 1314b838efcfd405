"""Random C functions without undefined behaviour: loops with conditions, and structures with
bit-fields, which compilers vectorize and make integers of odd widths of.

    long f(struct s *p, int *a, long n) { for (…) { if (a[i] > 3) p[i & 3].x += a[i]; … } … }

Arithmetic is unsigned, shifts are masked, divisors are odd.
"""

from __future__ import annotations

import random

KINDS = {"unsigned char": 8, "short": 16, "unsigned": 32, "int": 32, "long": 64,
         "unsigned long": 64}  # fmt: skip
ELEMENTS = ("signed char", "unsigned char", "short", "int", "unsigned", "long")


def program(seed: int) -> str:
    draw = random.Random(seed)
    element, fields = draw.choice(ELEMENTS), []
    for k in range(draw.randrange(2, 8)):
        kind = draw.choice(list(KINDS))
        width = draw.choice((draw.randrange(1, KINDS[kind] + 1), KINDS[kind]))
        fields.append((f"f{k}", kind, width))
    packed = " __attribute__((packed))" if draw.random() < 0.3 else ""
    held = _members(fields)
    body = "\n        ".join(_statement(draw, fields, 2) for _ in range(draw.randrange(2, 6)))
    bound = draw.choice(("n", "(n & 7)", "(i & 3) + 1"))
    inner = f"for (long j = 0; j < {bound}; j++) t += a[(i + j) & 31] * {draw.randrange(9)}ul;"
    return f"""
struct s {{ {held} }}{packed};
unsigned long f(struct s *p, {element} *a, long n) {{
    unsigned long t = 0;
    for (long i = 0; i < n; i++) {{
        {body}
        {inner if draw.random() < 0.6 else ""}
    }}
    for (long i = 0; i < n; i++) if (a[i] > {draw.randrange(-40, 40)}) a[i] = {_expression(draw, fields, 1)};
    for (long i = 0; i < n; i++) t = t * 31 + (unsigned long)a[i];
    for (long i = 0; i < 4; i++) {{ {_sum(fields)} }}
    return t;
}}
"""  # noqa: E501


def _sum(fields: list[tuple[str, str, int]]) -> str:
    """What is left in them: bytes that are none of a field's hold anything."""
    return " ".join(f"t = t * 31 + (unsigned long)p[i].{name};" for name, _, _ in fields)


def _members(fields: list[tuple[str, str, int]]) -> str:
    """The fields, with a break before a run of them becomes longer than 128 bits."""
    found, run = [], 0
    for name, kind, width in fields:
        run += KINDS[kind]  # with what may be left free before it
        if run > 128:
            found.append("char : 0;")
            run = KINDS[kind]
        found.append(f"{kind} {name} : {width};")
    return " ".join(found)


def _statement(draw: random.Random, fields: list, depth: int) -> str:
    name, _, _ = draw.choice(fields)
    value = _expression(draw, fields, 2)
    target = draw.choice((f"p[i & 3].{name}", f"p[i & 3].{name}", "t", "a[i & 31]"))
    text = f"{target} = {target} {draw.choice('+^-|')} ({value});"
    if depth and draw.random() < 0.4:
        test = f"{_expression(draw, fields, 1)} {draw.choice(('<', '>', '==', '!='))} "
        return f"if ({test}{draw.randrange(-5, 200)}ul) {{ {text} {_statement(draw, fields, 0)} }}"
    return text


def _expression(draw: random.Random, fields: list, depth: int) -> str:
    if not depth or draw.random() < 0.2:
        name, _, _ = draw.choice(fields)
        return draw.choice((
            f"(unsigned long)p[i & 3].{name}", "(unsigned long)a[i & 31]", "(unsigned long)i",
            f"{draw.getrandbits(draw.choice((3, 8, 33)))}ul",
        ))  # fmt: skip
    a, b = (_expression(draw, fields, depth - 1) for _ in "ab")
    return draw.choice((
        f"({a} + {b})", f"({a} * {b})", f"({a} ^ {b})", f"({a} - {b})", f"({a} & {b})",
        f"({a} << ({b} & 15))", f"({a} >> ({b} & 31))", f"({a} % ({b} | 1))",
        f"(unsigned long)((unsigned __int128){a} * {b} >> 64)", f"({a} < {b} ? {a} : {b})",
    ))  # fmt: skip
