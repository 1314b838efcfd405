"""Memory dependence by hand: both rule sets, what 'seed' misses, joins, scalars, refusals."""

from __future__ import annotations

import pytest

from compiler.analyses.memory_dependence import (
    CHOICES,
    MemoryDependence,
    MemoryOptions,
    memory_dependence,
    visiting_order,
)
from compiler.ir.module import Function
from compiler.text_form import parse
from machines.diagnostics import InputError

SEED = MemoryOptions(rules="seed")
FAST = MemoryOptions(rules="seed", variant="fast")
ALL = MemoryOptions(rules="seed", indirect="all")
SOUND = MemoryOptions()


def function(body: str) -> Function:
    """A function on a: i8[64] and b: i8[64] of an unknown x and p; its body begins in line 5."""
    text = (
        "a: i8[64] in global\nb: i8[64] in global\n"
        f"func @f(x: i64, p: i1, q: ptr) {{\nentry:\n{body}\n    return\n}}\n"
    )
    return next(iter(parse(text).functions.values()))


def straight(*lines: str) -> Function:
    """Lines `def …`, `@p def …` and `use …` of intervals; they are numbered from 5."""
    made = []
    for number, line in enumerate(lines):
        line = line.replace("def ", "tensor.fill.i8 ")
        if "use " in line:
            line = f"s{number} = tensor.sum.i8 {line.removeprefix('use ')}"
        made.append(f"    {line}, 1" if "fill" in line else f"    {line}")
    return function("\n".join(made))


def defs(f: Function, options: MemoryOptions = SOUND) -> dict[int, list[int]]:
    """By line of the use: the lines of its definitions, counted from 1 as ir1, ir2, … are."""
    found = MemoryDependence(f, options).definitions
    return {u.line - 4: [d.line - 4 for d in some] for u, some in found.items()}


def seed_records(f: Function, options: MemoryOptions = SEED) -> list[dict[str, tuple]]:
    """After every instruction: definitions, kill set and flag of every descriptor."""
    found = MemoryDependence(f, options)
    return [
        {
            descriptor.text: (
                [found.memory.accesses[n].line - 4 for n in record.definitions],
                list(record.kill),
                record.is_kill,
            )
            for descriptor, record in records
        }
        for _, records in found.records()
    ]


def sound_records(f: Function) -> list[dict[str, list[tuple]]]:
    """After every instruction: the definitions of every descriptor with their kill sets."""
    found = MemoryDependence(f, SOUND)
    return [
        {
            record.descriptor.text: [
                (found.memory.accesses[d.access].line - 4, list(d.kill)) for d in record.definitions
            ]
            for record in records
        }
        for _, records in found.records()
    ]


# The worked examples


EXACT = ("def a[0:32]", "use a[0:32]", "def a[0:16]", "use a[0:32]", "def a[16:32]", "use a[0:60]")
INEXACT = (
    "def a[0:32]",
    "def a[0:x]",
    "use a[0:x]",
    "def any(a[0:32], a[0:x], b[0:32], b[0:64])",
    "@p def a[0:32]",
    "use any(a[0:32], a[0:x], b[0:32], b[0:64])",
)


@pytest.mark.parametrize("options", [SEED, FAST, SOUND], ids=["seed", "fast", "sound"])
def test_uses_of_the_worked_examples(options):
    assert defs(straight(*EXACT), options) == {2: [1], 4: [1, 3], 6: [3, 5]}
    assert defs(straight(*INEXACT), options) == {3: [1, 2], 6: [1, 2, 4, 5]}


def test_records_of_the_first_worked_example():
    one = {"a[0,31]": ([1], [], False)}
    two = {"a[0,31]": ([1], [(0, 15)], False), "a[0,15]": ([3], [], False)}
    three = {"a[0,15]": ([3], [], False), "a[16,31]": ([5], [], False)}
    assert seed_records(straight(*EXACT)) == [one, one, two, two, three, three]


def test_records_of_the_second_worked_example():
    one = {"a[0,31]": ([1], [], False)}
    two = {"a[0,31]": ([1], [], True), "a[0,x]": ([2], [], False)}
    four = two | {"b[0,63]": ([4], [], False)}
    five = four | {"a[0,31]": ([1, 5], [], True)}
    assert seed_records(straight(*INEXACT)) == [one, two, two, four, five, five]


def test_records_of_sound_have_a_kill_set_for_every_definition():
    f = straight("def a[0:32]", "@p def a[0:16]", "def a[8:24]", "def a[0:x]", "def a[0:8]")
    assert sound_records(f) == [
        {"a[0,31]": [(1, [])]},
        {"a[0,31]": [(1, [])], "a[0,15]": [(2, [])]},
        {"a[0,31]": [(1, [(8, 23)])], "a[0,15]": [(2, [(8, 15)])], "a[8,23]": [(3, [])]},
        {
            "a[0,31]": [(1, [(8, 23)])],
            "a[0,15]": [(2, [(8, 15)])],
            "a[8,23]": [(3, [])],
            "a[0,x]": [(4, [])],
        },
        {
            "a[0,31]": [(1, [(0, 23)])],
            "a[8,23]": [(3, [])],
            "a[0,x]": [(4, [(0, 7)])],
            "a[0,7]": [(5, [])],
        },
    ]


# What 'seed' misses


@pytest.mark.parametrize(
    "lines, missed",
    [
        # An indirect definition skips a descriptor that has a record.
        (("def a[0:32]", "def any(a[0:32], b[0:32])", "use a[0:32]"), {3: [2]}),
        # After an inexact definition is_kill is set, but the kill set is empty.
        (("def a[0:32]", "def a[0:x]", "use a[0:32]"), {3: [2]}),
        # A guarded definition without a record kills as if it had no guard.
        (("def a[0:2]", "@p def a[0:3]", "use a[0:2]"), {3: [1]}),
        # A second definition of the same inexact interval takes the place of the first.
        (("def a[3:x]", "def a[3:x]", "use a[3:x]"), {3: [1]}),
        # An indirect use looks at its candidates only, not at what overlaps them.
        (("def a[1:2]", "use any(a[0:3])"), {2: [1]}),
    ],
)
def test_what_seed_misses_and_sound_has(lines, missed):
    f = straight(*lines)
    seed, sound = defs(f, SEED), defs(f)
    assert {u: [d for d in sound[u] if d not in seed[u]] for u in sound} == missed


def test_one_kill_set_for_several_definitions_is_less_than_one_for_each():
    """The kill sets of a[0,31] are intersected at the join, so 3 seems to be alive in [0,7]; a use
    of a[0,15], which has a record without a kill set, looks no further and misses 7."""
    f = function(
        "    branch opaque, A, B\n"
        "A:\n    tensor.fill.i8 a[0:32], 1\n    tensor.fill.i8 a[0:16], 1\n    jump C\n"
        "B:\n    tensor.fill.i8 a[0:32], 1\n    jump C\n"
        "C:\n    s = tensor.sum.i8 a[0:8]\n    t = tensor.sum.i8 a[0:16]"
    )
    assert defs(f) == {10: [4, 7], 11: [4, 7]}
    assert defs(f, SEED) == {10: [3, 4, 7], 11: [4]}


def test_what_is_killed_within_the_used_interval():
    f = straight(*EXACT[:3], "use a[0:15]")
    assert defs(f) == defs(f, SEED) == {2: [1], 4: [3]}
    assert defs(f, FAST) == {2: [1], 4: [1, 3]}


# The letter of 'seed'


def test_join_unites_definitions_and_intersects_kill_sets():
    f = function(
        "    branch opaque, A, B\n"
        "A:\n    tensor.fill.i8 a[0:64], 1\n    tensor.fill.i8 a[1:64], 1\n    jump C\n"
        "B:\n    tensor.fill.i8 a[0:64], 1\n    tensor.fill.i8 a[32:60], 1\n    jump C\n"
        "C:\n    tensor.fill.i8 b[0:1], 1"
    )
    after = seed_records(f)[-1]
    assert after == {
        "a[0,63]": ([3, 7], [(32, 59)], False),
        "a[1,63]": ([4], [], False),  # no record on the other way, which counts as all killed
        "a[32,59]": ([8], [], False),
        "b[0,0]": ([11], [], False),
    }


def test_guarded_definition_without_a_record_kills_in_seed_only():
    f = straight("def a[0:32]", "@p def a[0:16]", "use a[0:32]", "@p def a[0:16]", "use a[0:16]")
    assert seed_records(f)[1] == {
        "a[0,31]": ([1], [(0, 15)], False),
        "a[0,15]": ([2], [], False),
    }
    assert seed_records(f)[3]["a[0,15]"] == ([2, 4], [], False)
    assert defs(f) == {3: [1, 2], 5: [1, 2, 4]}


def test_guarded_inexact_definition_joins_its_record():
    """A guard does not ask whether the interval is known; what it overlaps keeps its mark."""
    f = straight("def a[0:x]", "def a[0:8]", "@p def a[0:x]", "use a[0:x]", "use a[0:8]")
    assert seed_records(f)[2] == {
        "a[0,x]": ([1, 3], [(0, 7)], False),
        "a[0,7]": ([2], [], False),
    }
    assert defs(f, SEED) == {4: [1, 2, 3], 5: [2]}
    f = straight("def a[0:x]", "@p def a[0:x]", "use a[0:x]")
    assert defs(f, SEED) == defs(f, FAST) == defs(f) == {3: [1, 2]}


def test_guarded_inexact_definition_without_a_record_marks_in_seed():
    f = straight("def a[0:8]", "@p def a[0:x]", "use a[0:8]")
    assert seed_records(f)[1] == {"a[0,7]": ([1], [], True), "a[0,x]": ([2], [], False)}
    assert defs(f, SEED) == {3: [1]} and defs(f) == {3: [1, 2]}


def test_all_candidates_of_an_indirect_definition():
    lines = ("def a[0:32]", "def any(a[0:32], b[0:8], b[0:32])", "use any(a[0:32], b[0:8])")
    assert seed_records(straight(*lines), ALL)[1] == {
        "a[0,31]": ([2], [], False),
        "b[0,7]": ([2], [], False),
        "b[0,31]": ([2], [], False),
    }
    assert defs(straight(*lines), ALL) == {3: [2]}
    assert defs(straight(*lines), SEED) == {3: [1]}  # b[0,7] is covered, b[0,31] no candidate


def test_fast_takes_every_descriptor_that_overlaps():
    f = straight("def a[0:32]", "def a[0:8]", "def a[4:12]", "use a[8:32]")
    assert defs(f, SEED) == {4: [1, 3]}
    f = straight("def a[0:32]", "def a[0:8]", "def a[24:40]", "def a[24:32]", "use a[0:32]")
    assert defs(f, SEED) == {5: [1, 2, 4]}  # what [24,39] shares with the use is killed
    assert defs(f, FAST) == {5: [1, 2, 3, 4]}


def test_seed_may_never_settle():
    """What C defines is known in M before A and B are seen; in post-order it goes round and round
    in H, X, Y, never in all of them at once."""
    f = function(
        "    branch opaque, C, H\n"
        "C:\n    tensor.fill.i8 a[0:4], 1\n    branch opaque, A, B\n"
        "A:\n    tensor.fill.i8 a[0:4], 1\n    jump M\n"
        "B:\n    tensor.fill.i8 a[0:4], 1\n    jump M\n"
        "M:\n    jump H\n"
        "H:\n    jump X\nX:\n    jump Y\nY:\n    s = tensor.sum.i8 a[0:4]\n"
        "    branch opaque, H, Z\nZ:"
    )
    with pytest.raises(InputError, match="by the rules 'seed' never settle"):
        MemoryDependence(f, MemoryOptions(rules="seed", order="postorder"))
    assert defs(f, SEED) == defs(f) == defs(f, MemoryOptions(order="postorder")) == {18: [6, 9]}


# Orders


def test_orders_in_which_blocks_are_visited():
    """A flow graph like figure 2 of the patent: three ways from `a` meet in `m`."""
    ways = {
        "a": "b rest", "rest": "e i", "b": "c d", "c": "d", "d": "m", "e": "f g", "f": "h",
        "g": "h", "h": "m", "i": "j k", "j": "l", "k": "l", "l": "m", "m": "",
    }  # fmt: skip
    ends = {0: "return", 1: "jump {}", 2: "branch opaque, {}, {}"}
    blocks = []
    for name, targets in ways.items():
        end = ends[len(targets.split())].format(*targets.split())
        blocks.append(f"{name}:\n    {end}\n")
    graph = parse(f"func @f() {{\n{''.join(blocks)}}}\n").functions["f"]
    assert {order: " ".join(visiting_order(graph, order)) for order in CHOICES["order"]} == {
        "reverse_postorder": "a b c d rest e f g h i j k l m",
        "postorder": "m l k j i h g f e rest d c b a",
        "preorder": "a b c d m rest e f h g i j l k",
        "inorder": "m d c b a h f e g rest l j i k",
    }


# Loops


def test_a_definition_comes_round_a_loop():
    f = function(
        "    tensor.fill.i8 a[0:8], 1\n    jump L\n"
        "L:\n    s = tensor.sum.i8 a[0:8]\n    tensor.fill.i8 a[0:4], 1\n"
        "    branch opaque, L, E\nE:\n    t = tensor.sum.i8 a[0:4]"
    )
    assert defs(f) == {4: [1, 5], 8: [5]}
    found = memory_dependence(f)
    stores = [access for access in found.uses if access.kind == "store"]
    assert [[u.line - 4 for u in found.uses[d]] for d in stores] == [[4], [4, 8]]


def test_unreachable_uses_have_no_definitions():
    f = function(
        "    jump E\nU:\n    tensor.fill.i8 a[0:4], 1\n    s = tensor.sum.i8 a[0:4]\n    jump E\n"
        "E:\n    t = tensor.sum.i8 a[0:4]"
    )
    for options in (SEED, SOUND):
        assert defs(f, options) == {4: [], 7: []}
        assert [i.location.line - 4 for i, _ in MemoryDependence(f, options).records()] == [7]


# Scalars


def test_scalars_at_known_bytes_and_anywhere():
    f = function(
        "    base = address.ptr a\n"
        "    k = const.i64 4\n"
        "    at4 = add.ptr base, k\n"
        "    store.i32 at4, 1\n"  # 4: a[4,7]
        "    store.i8 q, 1\n"  # 5: anywhere
        "    tensor.fill.i8 a[4:8], 1\n"  # 6
        "    v = load.i32 at4\n"  # 7: all of it is 6's
        "    w = load.i8 q\n"  # 8: anywhere
        "    s = tensor.sum.i8 b[0:4]"  # 9
    )
    found = memory_dependence(f)
    assert [a.text for a in found.memory.accesses] == [
        "a[4,7]", "*", "a[4,7]", "a[4,7]", "*", "b[0,3]"
    ]  # fmt: skip
    assert defs(f) == {7: [6], 8: [5, 6], 9: [5]}


def test_an_address_outside_its_buffer_may_be_in_another():
    f = function(
        "    base = address.ptr a\n    far = add.ptr base, 0x2000\n    store.i8 far, 1\n"
        "    s = tensor.sum.i8 b[0:64]"
    )
    assert defs(f) == {4: [3]}


@pytest.mark.parametrize(
    "define",
    [
        "    @p at = add.ptr base, 4\n",  # may not be assigned
        "    at = copy.ptr base\n    at = add.ptr at, 4\n",  # assigned twice
        "    at = add.ptr base, x\n",
        "    branch p, A, B\nA:\n    at = copy.ptr base\n    jump B\nB:\n",  # not on every way
    ],
)
def test_addresses_of_which_nothing_is_known(define):
    f = function(f"    base = address.ptr a\n{define}    store.i8 at, 1\n")
    assert [a.text for a in memory_dependence(f).memory.accesses] == ["*"]


def test_guards_of_ssa_form_are_guards():
    """The tie of a guarded result is no definition of memory."""
    f = function(
        "    tensor.fill.i8 a[0:4], 1\n    @p tensor.fill.i8 a[0:4], 2\n"
        "    @p s = tensor.sum.i8 a[0:4] else 0\n"
    )
    assert defs(f) == {3: [1, 2]}


def test_both_operands_are_uses_and_are_read_before_the_result_is_written():
    f = function(
        "    tensor.fill.i8 a[0:8], 1\n    tensor.add.i8 a[0:4], a[0:4], a[4:8]\n"
        "    s = tensor.sum.i8 a[0:8]"
    )
    found = memory_dependence(f)
    assert [(u.line - 4, u.position, [d.line - 4 for d in some])
            for u, some in found.definitions.items()] == [
        (2, 1, [1]), (2, 2, [1]), (3, 0, [1, 2])
    ]  # fmt: skip


def test_elements_become_bytes():
    text = "a: i32[8] in global\nfunc @f(x: i64) {\nb:\n    tensor.fill.i32 a[1:3], 1\n"
    text += "    tensor.fill.i32 a[2:x], 1\n    return\n}\n"
    found = memory_dependence(parse(text).functions["f"])
    assert [(d.text, d.start, d.end) for d in found.memory.descriptors] == [
        ("a[4,11]", 4, 11), ("a[8,x]", 8, 31)
    ]  # fmt: skip


def test_strided_intervals_may_touch_what_lies_from_their_first_byte_to_their_last():
    f = straight(
        "def a[0:32]", "def a[8:9, 4 by 2]", "use a[10:11]", "use a[0:8]", "use a[15:16]",
        "def a[20:21, 2 by -4]", "use a[15:17]", "def a[8:9, x by 2]", "use a[0:1]",
        "def a[8:9, 4 by 3]", "use a[15:16]",
    )  # fmt: skip
    found = {3: [1, 2], 4: [1], 5: [1], 7: [1, 6], 9: [1, 8], 11: [1, 8, 10]}
    assert defs(f) == found
    texts = [d.text for d in memory_dependence(f).memory.descriptors]
    assert [t for t in texts if "by" in t] == [
        "a[8,8, 4 by 2]", "a[20,20, 2 by -4]", "a[8,8, x by 2]", "a[8,8, 4 by 3]",
    ]  # fmt: skip


def test_an_unknown_bound_reaches_to_the_end_of_the_buffer_on_its_side_only():
    f = straight("def a[x:8]", "def a[40:x]", "use a[0:2]", "use a[60:64]", "use a[20:30]")
    assert defs(f) == {3: [1], 4: [2], 5: []}
    assert defs(f, SEED) == {3: [1, 2], 4: [1, 2], 5: [1, 2]}


# Options


@pytest.mark.parametrize(
    "options, message",
    [
        ({"rules": "safe"}, "has no rules 'safe'"),
        ({"order": "backwards"}, "has no order 'backwards'"),
        ({"variant": "fast"}, "variant 'fast' belongs to the rules 'seed'"),
        ({"variant": "precise"}, "variant 'precise' belongs to the rules 'seed'"),
        ({"indirect": "all"}, "indirect 'all' belongs to the rules 'seed'"),
        ({"rules": "seed", "variant": "quick"}, "has no variant 'quick'"),
    ],
)
def test_unknown_options(options, message):
    with pytest.raises(InputError, match=message):
        MemoryOptions(**options)


def test_result_is_kept_until_the_function_changes():
    f = straight(*EXACT)
    assert memory_dependence(f) is memory_dependence(f)
