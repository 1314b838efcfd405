"""ptx rows: comparisons, selection, moves, special registers.

setp.ltu.f32 p, a, b           p = 0 if a >= b else 1
setp.lt.and.s32 p, a, b, c     p = 1 if a < b and c else 0
"""

from __future__ import annotations

from machines.instructions.ptx_operands import (
    BITS,
    INTEGERS,
    SIGNED,
    SYMBOL,
    by_width,
    computed,
    less,
    read,
    row,
    write,
)
from machines.operations.row import Operand

FLOAT_RELATIONS = {
    "eq": ("{a} == {b}", "Equal"),
    "ne": ("{a} < {b} or {a} > {b}", "Less or greater"),
    "lt": ("{a} < {b}", "Less"),
    "le": ("{a} <= {b}", "Less or equal"),
    "gt": ("{a} > {b}", "Greater"),
    "ge": ("{a} >= {b}", "Greater or equal"),
}
CLASSES = {
    "finite": ("abs(a) < inf", "Finite."),
    "infinite": ("abs(a) == inf", "Infinite."),
    "number": ("a == a", "Not NaN."),
    "notanumber": ("a != a", "NaN."),
    "normal": ("abs(a) >= {least} and abs(a) < inf", "A normal number."),
    "subnormal": ("abs(a) > 0.0 and abs(a) < {least}", "A subnormal number."),
}
COMBINATIONS = {
    "and": "1 if ({test}) and c else 0",
    "or": "1 if ({test}) or c else 0",
    "xor": "(1 if {test} else 0) ^ c",
}
"""What a comparison does with a predicate that it reads."""
COMBINED = ("s32", "u32", "s64", "u64", "f32", "f64")
"""Kinds whose comparisons do so."""
LEAST_NORMAL = {"f32": 2.0**-126, "f64": 2.0**-1022}


def _test(name, kind, condition, sentence, scheduling_class, **fields):
    operands = (write("p", "pred"), read("a", kind), read("b", kind))
    meaning = f"p = 1 if {condition} else 0"
    return row(name, operands, meaning, sentence, scheduling_class, **fields)


def _combined(comparison):
    """A comparison joined with a predicate, in each way that there is."""
    _, relation, *_, kind = comparison.name.split(".")
    test = comparison.meaning.removeprefix("p = 1 if ").removesuffix(" else 0")
    for way, value in COMBINATIONS.items():
        yield row(
            f"setp.{relation}.{way}.{kind}",
            (*comparison.operands, read("c", "pred", "predicate")),
            f"p = {value.format(test=test)}",
            f"{comparison.sentence[:-1]}; then {way} with a predicate.",
            comparison.scheduling_class,
            commutes=comparison.commutes,
        )


def _combined_comparisons():
    for comparison in (*_comparisons(), *_float_comparisons()):
        name, *_, kind = comparison.name.split(".")
        if name == "setp" and kind in COMBINED and ".ftz" not in comparison.name:
            yield from _combined(comparison)


def _comparisons():
    for kind in SIGNED:
        compare = by_width(kind, "predicate_compare", "wide_compare")
        yield _test(f"setp.eq.{kind}", kind, "a == b", "Equal.", compare, commutes=True)
        yield _test(f"setp.ne.{kind}", kind, "a != b", "Not equal.", compare, commutes=True)
    for kind in INTEGERS:
        compare = by_width(kind, "predicate_compare", "wide_compare")
        before, after = less(kind, "a", "b"), less(kind, "b", "a")
        yield _test(f"setp.lt.{kind}", kind, before, "Less.", compare)
        yield _test(f"setp.le.{kind}", kind, f"not {after}", "Less or equal.", compare)
        yield _test(f"setp.gt.{kind}", kind, after, "Greater.", compare)
        yield _test(f"setp.ge.{kind}", kind, f"not {before}", "Greater or equal.", compare)


def _float_comparisons():
    complements = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
    for kind, compare in (("f32", "float_compare"), ("f64", "double_compare")):
        for ftz in ("", ".ftz")[: 2 if kind == "f32" else 1]:
            a, b = ("flush(a)", "flush(b)") if ftz else ("a", "b")
            for name, (test, sentence) in FLOAT_RELATIONS.items():
                opposite = FLOAT_RELATIONS[complements[name]][0].format(a=a, b=b)
                commutes = name in ("eq", "ne")
                yield _test(
                    f"setp.{name}{ftz}.{kind}",
                    kind,
                    test.format(a=a, b=b),
                    f"{sentence}; false if either is NaN.",
                    compare,
                    commutes=commutes,
                )
                yield _test(
                    f"setp.{name}u{ftz}.{kind}",
                    kind,
                    f"not ({opposite})",
                    f"{sentence}; true if either is NaN.",
                    compare,
                    commutes=commutes,
                )
            for name, test, sentence in (
                ("num", "a == a and b == b", "Neither is NaN."),
                ("nan", "a != a or b != b", "Either is NaN."),
            ):
                yield _test(f"setp.{name}{ftz}.{kind}", kind, test, sentence, compare)
        for name, (test, sentence) in CLASSES.items():
            yield row(
                f"testp.{name}.{kind}",
                (write("p", "pred"), read("a", kind)),
                f"p = 1 if {test.format(least=LEAST_NORMAL[kind])} else 0",
                sentence,
                compare,
            )


def _selections():
    for kind in BITS:
        yield computed(
            f"selp.{kind}",
            (write("d", kind), read("a", kind), read("b", kind), read("p", "pred", "predicate")),
            "a if p else b",
            "The first operand if the predicate is true, else the second.",
            "move",
        )
        for control in ("s32", "f32"):
            value = "a if c >= 0 else b"
            operands = (write("d", kind), read("a", kind), read("b", kind), read("c", control))
            sentence = "The first operand if the third is zero or more, else the second."
            yield computed(f"slct.{kind}.{control}", operands, value, sentence, "alu")
        yield computed(
            f"slct.ftz.{kind}.f32",
            operands,
            "a if flush(c) >= 0 else b",
            f"{sentence[:-1]}; the third flushed.",
            "alu",
        )


def _moves():
    for kind in (*BITS, "pred"):
        yield computed(
            f"mov.{kind}", (write("d", kind), read("a", kind)), "a", "Copy a value.", "move"
        )
    for whole, part in (("b64", "b32"), ("b32", "b16")):
        n = int(part[1:])
        yield computed(
            f"mov.pack.{whole}",
            (write("d", whole), read("low", part), read("high", part)),
            f"high << {n} | low",
            f"Two values of {n} bits as one of {2 * n}.",
            "move",
            syntax=f"mov.{whole} {{d}}, {{{{{{low}}, {{high}}}}}}",
        )
        yield row(
            f"mov.unpack.{whole}",
            (write("low", part), write("high", part), read("a", whole)),
            f"low = a\nhigh = shift_right(a, {n})",
            f"The two halves of {n} bits of a value.",
            "move",
            syntax=f"mov.{whole} {{{{{{low}}, {{high}}}}}}, {{a}}",
        )
    yield computed(
        "mov.pack.b16",
        (write("d", "b16"), read("low", "b32"), read("high", "b32")),
        "(high & 255) << 8 | low & 255",
        "Two values of 8 bits as one of 16.",
        "move",
        syntax="mov.b16 {d}, {{{low}, {high}}}",
    )
    yield row(
        "mov.unpack.b16",
        (write("low", "b32"), write("high", "b32"), read("a", "b16")),
        "low = a & 255\nhigh = a >> 8",
        "The two halves of 8 bits of a value.",
        "move",
        syntax="mov.b16 {{{low}, {high}}}, {a}",
    )
    yield computed(
        "mov.address",
        (write("d", "b64"), Operand("symbol", SYMBOL)),
        "symbol",
        "The generic address of a buffer.",
        "move",
        syntax="mov.b64 {d}, {symbol}",
    )


def _special_registers():
    def special(name, value, sentence, kind="b32", reads=None, **fields):
        reads = reads or (name,)
        is_constant = name.split(".")[0] in ("ntid", "nctaid")  # they stand beside parameters
        return computed(
            f"mov.{name}",
            (write("d", kind),),
            value,
            sentence,
            "load_param" if is_constant else "special_register",
            syntax=f"mov.{kind} {{d}}, %{name}",
            implicit_reads=reads,
            **fields,
        )

    for name, sentence in (
        ("tid", "The thread's index in its block"),
        ("ntid", "Threads of a block"),
        ("ctaid", "The block's index in the grid"),
        ("nctaid", "Blocks of the grid"),
        ("clusterid", "The index of the block's cluster in the grid"),
        ("nclusterid", "Clusters of the grid"),
        ("cluster_ctaid", "The block's index in its cluster"),
        ("cluster_nctaid", "Blocks of a cluster"),
    ):
        for axis in "xyz":
            yield special(f"{name}.{axis}", f"{name}_{axis}", f"{sentence} along {axis}.")
    for name, sentence in (
        ("laneid", "The thread's lane in its warp."),
        ("warpid", "The warp's number in its block."),
        ("nwarpid", "Warps that an SM holds."),
        ("smid", "The SM's number."),
        ("nsmid", "Number of SMs."),
        ("dynamic_smem_size", "Bytes of dynamic shared memory of the block."),
        ("total_smem_size", "Bytes of shared memory of the block."),
        ("cluster_ctarank", "The block's number in its cluster."),
        ("cluster_nctarank", "Number of blocks of the cluster."),
    ):
        yield special(name, name, sentence)
    yield special(
        "is_explicit_cluster",
        "is_explicit_cluster != 0",
        "Whether the kernel or its launch says how large clusters are.",
        "pred",
        ("is_explicit_cluster",),
    )
    yield special("gridid", "gridid", "The launch's number.", "b64")
    ordered = frozenset({"convergent"})  # a time is that of its position
    for name, value, kind, sentence in (
        ("clock", "clock64", "b32", "Low half of the SM's cycle counter."),
        ("clock_hi", "shift_right(clock64, 32)", "b32", "High half of the SM's cycle counter."),
        ("clock64", "clock64", "b64", "The SM's cycle counter."),
        ("globaltimer", "globaltimer", "b64", "Nanoseconds since the first launch."),
        ("globaltimer_lo", "globaltimer", "b32", "Low half of the global timer."),
        ("globaltimer_hi", "shift_right(globaltimer, 32)", "b32", "Its high half."),
    ):
        source = "globaltimer" if name.startswith("global") else "clock64"
        yield special(name, value, sentence, kind, (source,), flags=ordered)
    for relation, value in (
        ("eq", "shift_left(1, laneid)"),
        ("lt", "shift_left(1, laneid) - 1"),
        ("le", "shift_left(2, laneid) - 1"),
        ("gt", "shift_left(-2, laneid)"),
        ("ge", "shift_left(-1, laneid)"),
    ):
        sentence = f"Bit k says whether k is {relation} the thread's lane."
        yield special(f"lanemask_{relation}", value, sentence, reads=("laneid",))


ROWS = (
    *_comparisons(),
    *_float_comparisons(),
    *_combined_comparisons(),
    *_selections(),
    *_moves(),
    *_special_registers(),
)
