"""ia64 rows: loads, stores, prefetch, semaphores, register transfers through the M unit.

Not declared, because NaT bits and the ALAT are not modelled: the speculative, advanced and check
forms.  Locality hints and acquire/release order have no effect on one core, so the reader drops
the hints and no ordered plain load or store is a row.
"""

from __future__ import annotations

from machines.instructions.ia64_operands import FR, GR, OneOf, immediate, read, row, write
from machines.operations.row import Access, Operand

ADDRESS = read("r3", use="address")
INCREMENTED = Operand("r3", GR, "rw", use="address", produces="post_increment")
IMM9 = immediate("imm", 9)
R2 = read("r2")

FORMS = (
    # suffix, address operand, operand of the increment, text after the bracket, what it adds
    ("", ADDRESS, None, "", ""),
    (".increment_immediate", INCREMENTED, IMM9, ", {imm}", "imm"),
    (".increment_register", INCREMENTED, R2, ", {r2}", "r2"),
)


def _increment(meaning: str, amount: str) -> str:
    return f"{meaning}\nr3 = wrap(r3 + {amount})" if amount else meaning


def _load(name, result, size, meaning, sentence, scheduling_class):
    """The plain and both post-increment rows of a load."""
    for suffix, address, operand, text, amount in FORMS:
        note = " Then the address is incremented." if amount else ""
        yield row(
            name + suffix,
            (result, address, *([operand] if operand else [])),
            _increment(f"{result.name} = {meaning}", amount),
            sentence + note,
            f"{name} {{{result.name}}} = [{{r3}}]{text}",
            scheduling_class,
            "M",
            accesses=(Access("load", size, "r3"),),
        )


def _store(name, source, size, meaning, sentence, scheduling_class):
    """The plain and the post-increment row of a store (there is no register form)."""
    for suffix, address, operand, text, amount in FORMS[:2]:
        note = " Then the address is incremented." if amount else ""
        yield row(
            name + suffix,
            (address, source, *([operand] if operand else [])),
            _increment(meaning, amount),
            sentence + note,
            f"{name} [{{r3}}] = {{{source.name}}}{text}",
            scheduling_class,
            "M",
            accesses=(Access("store", size, "r3"),),
        )


def _pair(name, size, meanings, sentence):
    """A floating pair load: plain, or with an increment by its own size."""
    results = (write("f1", FR), write("f2", FR))
    first, second = meanings
    for suffix, address, text, amount in (
        ("", ADDRESS, "", ""),
        (".increment_immediate", INCREMENTED, f", {size}", str(size)),
    ):
        yield row(
            name + suffix,
            (*results, address),
            _increment(f"f1 = {first}\nf2 = {second}", amount),
            sentence + (f" Then the address is incremented by {size}." if amount else ""),
            f"{name} {{f1}}, {{f2}} = [{{r3}}]{text}",
            "fp_load_pair",
            "M",
            accesses=(Access("load", size, "r3"),),
        )


def _loads_and_stores():
    for size in (1, 2, 4, 8):
        yield from _load(
            f"ld{size}",
            write("r1"),
            size,
            "loaded",
            f"Load {size} bytes, zero-extended.",
            "integer_load",
        )
    for size in (1, 2, 4, 8):
        yield from _store(
            f"st{size}",
            read("r2", use="store_data"),
            size,
            "stored = r2",
            f"Store the low {size} bytes.",
            "integer_store",
        )
    for name, size, meaning, sentence in (
        ("ldfs", 4, "fr_from_bits32(loaded)", "Load a single."),
        ("ldfd", 8, "fr_from_bits64(loaded)", "Load a double."),
        ("ldf8", 8, "fr_from_significand(loaded)", "Load a 64-bit integer significand."),
        (
            "ldfe",
            10,
            "fr_from_bits80(loaded, loaded_high)",
            "Load a double-extended (10 bytes, aligned to 16).",
        ),
    ):
        yield from _load(name, write("f1", FR), size, meaning, sentence, "fp_load")
    spilled = "fr_merge_exponent(fr_from_sign_exponent(loaded_high), fr_from_significand(loaded))"
    fill = "Load a whole register as stf.spill stores it (16 bytes)."
    yield from _load("ldf.fill", write("f1", FR), 16, spilled, fill, "fp_load")
    yield from _pair(
        "ldfps",
        8,
        ("fr_from_bits32(loaded)", "fr_from_bits32(shift_right_unsigned(loaded, 32))"),
        "Load two singles.",
    )
    yield from _pair(
        "ldfpd", 16, ("fr_from_bits64(loaded)", "fr_from_bits64(loaded_high)"), "Load two doubles."
    )
    yield from _pair(
        "ldfp8",
        16,
        ("fr_from_significand(loaded)", "fr_from_significand(loaded_high)"),
        "Load two 64-bit integer significands.",
    )
    data = read("f2", FR, use="fp_store_data")
    for name, size, meaning, sentence in (
        ("stfs", 4, "stored = fr_bits32(f2)", "Store as a single; excess bits are cut off."),
        ("stfd", 8, "stored = fr_bits64(f2)", "Store as a double; excess bits are cut off."),
        ("stf8", 8, "stored = fr_significand(f2)", "Store the significand."),
        (
            "stfe",
            10,
            "stored = fr_significand(f2)\nstored_high = fr_bits80_high(f2)",
            "Store as a double-extended (10 bytes, aligned to 16).",
        ),
        (
            "stf.spill",
            16,
            "stored = fr_significand(f2)\nstored_high = fr_sign_exponent(f2)",
            "Store a whole register (16 bytes): significand, then exponent and sign.",
        ),
    ):
        yield from _store(name, data, size, meaning, sentence, "fp_store")


def _prefetch():
    for suffix, address, operand, text, amount in FORMS:
        yield row(
            f"lfetch{suffix}",
            (address, *([operand] if operand else [])),
            f"r3 = wrap(r3 + {amount})" if amount else "",
            "Prefetch a line; never faults." + (" Then increment the address." if amount else ""),
            f"lfetch [{{r3}}]{text}",
            "prefetch",
            "M",
            accesses=(Access("prefetch", 1, "r3"),),
        )


def _semaphores():
    """They read and write memory in one step."""
    data = read("r2", use="store_data")
    for size in (1, 2, 4, 8):
        yield row(
            f"xchg{size}",
            (write("r1"), ADDRESS, data),
            "stored = r2\nr1 = loaded",
            f"Exchange {size} bytes with memory.",
            " {r1} = [{r3}], {r2}",
            "semaphore",
            "M",
            accesses=(Access("load_store", size, "r3"),),
        )
    for size in (1, 2, 4, 8):
        for order in ("acq", "rel"):
            yield row(
                f"cmpxchg{size}.{order}",
                (write("r1"), ADDRESS, data),
                "stored = r2 if loaded == ar_ccv else loaded\nr1 = loaded",
                f"Store {size} bytes if memory, zero-extended, equals ar.ccv; the result is "
                "what was there.",
                " {r1} = [{r3}], {r2}, ar.ccv",
                "semaphore",
                "M",
                accesses=(Access("load_store", size, "r3"),),
                implicit_reads=("ar.ccv",),
            )
    step = Operand("imm", OneOf(6, values=(-16, -8, -4, -1, 1, 4, 8, 16)))
    for size in (4, 8):
        for order in ("acq", "rel"):
            yield row(
                f"fetchadd{size}.{order}",
                (write("r1"), ADDRESS, step),
                "stored = wrap(loaded + imm)\nr1 = loaded",
                f"Add a small constant to {size} bytes; the result is what was there.",
                " {r1} = [{r3}], {imm}",
                "semaphore",
                "M",
                accesses=(Access("load_store", size, "r3"),),
            )


def _transfers():
    """Between general and floating registers."""
    for part, into, out, sentence in (
        ("sig", "fr_from_significand(r2)", "fr_significand(f2)", "the 64-bit significand"),
        ("s", "fr_from_bits32(r2)", "fr_bits32(f2)", "the single's bits"),
        ("d", "fr_from_bits64(r2)", "fr_bits64(f2)", "the double's bits"),
        ("exp", "fr_from_sign_exponent(r2)", "fr_sign_exponent(f2)", "sign and exponent"),
    ):
        yield row(
            f"setf.{part}",
            (write("f1", FR), read("r2", use="setf")),
            f"f1 = {into}",
            f"A floating register from {sentence}.",
            " {f1} = {r2}",
            "setf",
            "M",
        )
        yield row(
            f"getf.{part}",
            (write("r1"), read("f2", FR, "getf")),
            f"r1 = {out}",
            f"From a floating register {sentence}.",
            " {r1} = {f2}",
            "getf",
            "M",
        )
    for name, sentence in (("rum", "Clear"), ("sum", "Set")):
        yield row(
            name,
            (immediate("imm", 24, signed=False),),
            "",
            f"{sentence} bits of the user mask, which has no effect on results.",
            " {imm}",
            "move_to_ar_m",
            "M",
        )
    yield row("mf", (), "", "Memory fence.", "mf", "fence", "M")


ROWS = (*_loads_and_stores(), *_prefetch(), *_semaphores(), *_transfers())
