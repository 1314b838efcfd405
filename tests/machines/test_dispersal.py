"""Dispersal: the whole pair table of Itanium 2, every split rule, Merced, three bundles."""

import itertools
import random

import numpy as np
import pytest

from machines.description.load import load_machine
from machines.diagnostics import InputError, Location
from machines.instructions import operations
from machines.kinds.epic.dispersal import ENDS, BundleView, DispersalTable, disperse
from machines.kinds.epic.program import COLUMNS, CONTINUATION, BundleProgram

ITANIUM2 = load_machine("itanium2").description
ITANIUM = load_machine("itanium").description
EPIC3 = load_machine("epic3").description

# Bundle 0 = row, bundle 1 = column, no stop in bundle 0.  F: full issue whatever fills the I slots;
# n: full only if the n I-slot syllables from the third on are A-type; b: and bundle 0's B slot
# holds nop.b or brp; S: always split.  From Intel's dispersal rules as gcc quotes them.
COLUMN_SHAPES = ["MII", "MMI", "MFI", "MMF", "MIB", "MBB", "BBB", "MMB", "MFB", "MLX"]
PAIRS = {
    "MII": " 2   1   1   F   1   F   F   F   F   S",
    "MMI": " 1   F   F   F   F   F   F   F   F   F",
    "MFI": " 1   F   F   F   F   F   F   F   F   F",
    "MMF": " F   F   F   F   F   F   F   F   F   F",
    "MLX": " 1   F   F   F   F   F   F   F   F   F",
    "MIB": "1b  Fb  Fb  Fb  Fb  Fb   S  Fb  Fb  Fb",
    "MMB": "Fb  Fb  Fb  Fb  Fb  Fb   S  Fb  Fb  Fb",
    "MFB": "Fb  Fb  Fb  Fb  Fb  Fb   S  Fb  Fb  Fb",
    "MBB": " S   S   S   S   S   S   S   S   S   S",
    "BBB": " S   S   S   S   S   S   S   S   S   S",
}
CELLS = [
    (row, column, cell)
    for row, cells in PAIRS.items()
    for column, cell in zip(COLUMN_SHAPES, cells.split(), strict=True)
]
FILLER = {"M": "nop_m", "F": "nop_f", "L": "long_immediate", "X": None}


def view(template, *classes):
    return BundleView(template, classes)


def filled(shape, integers, branch):
    """A bundle of fillers: I slots from the iterator, every B slot `branch`."""
    slots = {"I": lambda: next(integers), "B": lambda: branch}
    return view(shape, *(slots[k]() if k in slots else FILLER[k] for k in shape))


@pytest.mark.parametrize(("first", "second", "cell"), CELLS)
def test_pair_table(first, second, cell):
    integer_slots = (first + second).count("I")
    for integers in itertools.product(("nop_i", "alu"), repeat=integer_slots):
        for branch0, branch1 in itertools.product(("nop_b", "branch_hint", "branch"), repeat=2):
            source = iter(integers)
            window = [filled(first, source, branch0), filled(second, source, branch1)]
            # An MLX bundle takes an I port too, so it counts among the I syllables.
            ordered = list(integers)
            if "L" in first:
                ordered.insert(0, "long_immediate")
            late = ordered[2:]
            full = cell != "S"
            if cell[0].isdigit():
                assert len(late) == int(cell[0])
                full = all(name == "alu" for name in late)
            if cell.endswith("b"):
                full = full and branch0 != "branch"
            assert (disperse(ITANIUM2, window).count == 6) == full, (integers, branch0, branch1)


def check(machine, window, count, end, ports=None, start=0):
    found = disperse(machine, window, start)
    assert (found.count, found.end) == (count, end)
    if ports is not None:
        assert found.ports == tuple(ports.split())


NOPS = view("MFI", "nop_m", "nop_f", "nop_i")


def test_a_full_pair_names_its_ports():
    bundle = view("MFI", "fp_load", "fp_arithmetic", "alu")
    check(ITANIUM2, [bundle, bundle], 6, "window", "M0 F0 I0 M1 F1 I1")


def test_loads_and_stores_in_any_order():
    one = view("MMI", "integer_store", "integer_load", "alu")
    two = view("MMI", "integer_load", "integer_store", "alu")
    check(ITANIUM2, [one, two], 6, "window")


def test_four_floating_loads_but_only_two_pairs():
    single = view("MMF", "fp_load", "fp_load", "fp_arithmetic")
    pair = view("MMF", "fp_load_pair", "fp_load_pair", "fp_arithmetic")
    store = view("MMF", "fp_store", "fp_store", "fp_arithmetic")
    check(ITANIUM2, [single, single], 6, "window")
    check(ITANIUM2, [store, pair], 6, "window")
    check(ITANIUM2, [pair, pair], 3, "split:port M")
    check(ITANIUM2, [pair, single], 6, "window")
    mixed = view("MMI", "fp_load_pair", "prefetch", "nop_i")
    check(ITANIUM2, [mixed, single], 6, "window")


@pytest.mark.parametrize(
    ("window", "count", "end"),
    [
        # 1: explicit stops, at the end and in the middle
        ([view("MFI;", "nop_m", "nop_f", "nop_i"), NOPS], 3, "stop"),
        ([view("M;MI", "nop_m", "nop_m", "nop_i"), NOPS], 1, "stop"),
        ([view("MI;I", "nop_m", "nop_i", "nop_i"), NOPS], 2, "stop"),
        ([NOPS, view("MI;I;", "nop_m", "nop_i", "nop_i")], 5, "stop"),
        # 2: after MBB and BBB, whatever they hold
        ([view("MBB", "nop_m", "nop_b", "nop_b"), NOPS], 3, "split:after template"),
        ([view("BBB", "nop_b", "nop_b", "nop_b"), NOPS], 3, "split:after template"),
        # 3: after MIB, MMB, MFB with a branch
        ([view("MIB", "nop_m", "nop_i", "branch"), NOPS], 3, "split:after branch"),
        ([view("MMB", "nop_m", "nop_m", "loop_branch"), NOPS], 3, "split:after branch"),
        ([view("MFB", "nop_m", "nop_f", "return"), NOPS], 3, "split:after branch"),
        ([view("MFB", "nop_m", "nop_f", "break_b"), NOPS], 3, "split:after branch"),
        # 4: before BBB
        (
            [view("MIB", "nop_m", "nop_i", "nop_b"), view("BBB", "nop_b", "nop_b", "nop_b")],
            3, "split:before template",
        ),
        # 5: MLX after MII
        (
            [view("MII", "nop_m", "nop_i", "nop_i"), view("MLX", "nop_m", "long_immediate", None)],
            4, "split:port L",
        ),
        # 6: ports
        (
            [view("MMI", "integer_load", "integer_load", "alu"), view("MMI", "integer_load", "alu",
             "alu")],
            3, "split:port M",
        ),
        (
            [view("MMI", "integer_store", "setf", "alu"), view("MMI", "alu", "integer_store",
             "alu")],
            4, "split:port M",
        ),
        ([view("MMI", "getf", "getf", "alu")], 1, "split:port M"),
        ([view("MMI", "getf", "allocate", "alu")], 1, "split:port M"),
        ([view("MMI", "fence", "fence", "alu")], 1, "split:port M"),
        ([view("MII", "nop_m", "bit_field", "test_bit")], 2, "split:port I"),
        ([view("MII", "nop_m", "alu", "bit_field")], 2, "split:port I"),
        ([view("MII", "nop_m", "shift_variable", "shift_variable")], 3, "window"),
        (
            [view("MII", "nop_m", "alu", "alu"), view("MII", "nop_m", "extend", "alu")],
            4, "split:port I",
        ),
        (
            [view("MMI", "alu", "alu", "alu"), view("MMI", "alu", "alu", "alu")],
            6, "window",
        ),
        # 7: implicit stop after a semaphore
        ([view("MMI", "semaphore", "nop_m", "nop_i")], 1, "split:after class"),
        ([NOPS, view("MMI", "alu", "semaphore", "nop_i")], 5, "split:after class"),
        # branches of MBB by position
        ([NOPS, view("MBB", "nop_m", "branch", "loop_branch")], 6, "split:after template"),
    ],
)  # fmt: skip
def test_split_rules_of_itanium_2(window, count, end):
    check(ITANIUM2, window, count, end)


def test_spilled_syllables_take_free_m_ports():
    window = [view("MII", "integer_load", "bit_field", "alu"),
              view("MII", "integer_store", "compare", "alu")]  # fmt: skip
    check(ITANIUM2, window, 6, "window", "M0 I0 I1 M2 M1 M3")


def test_spilled_syllables_leave_no_port_for_a_fifth():
    # epic3 with Itanium 2's M ports: MII MII MII has three M and six I syllables for seven ports.
    narrow = load_machine("epic3", ["dispersal.matched_slots.M=[M0, M1, M2, M3]"]).description
    three = [view("MII", "nop_m", "alu", "alu")] * 3
    check(narrow, three, 7, "split:port I")


def test_two_nops_in_branch_slots_issue_together():
    window = [view("MMB", "integer_load", "integer_load", "nop_b"),
              view("MMB", "integer_store", "integer_store", "nop_b")]  # fmt: skip
    check(ITANIUM2, window, 6, "window", "M0 M1 B0 M2 M3 B1")


def test_branches_go_to_their_ports():
    check(ITANIUM2, [view("MIB", "nop_m", "nop_i", "nop_b")], 3, "window", "M0 I0 B0")
    check(ITANIUM2, [view("MIB", "nop_m", "nop_i", "branch")], 3, "split:after branch", "M0 I0 B2")
    check(
        ITANIUM2, [view("BBB", "branch", "branch", "branch")], 3, "split:after template", "B0 B1 B2"
    )


def test_long_immediates_take_an_i_port_by_bundle():
    long = view("MLX", "nop_m", "long_immediate", None)
    found = disperse(ITANIUM2, [long, long])
    assert found.ports == ("M0", "I0", None, "M1", "I1", None)
    check(ITANIUM2, [view("MMF", "nop_m", "nop_m", "nop_f"), long], 6, "window")


@pytest.mark.parametrize(
    ("first", "start", "second", "count", "end"),
    [
        # What issued before uses no ports: the I slot after a mid-bundle stop gets I0.
        (view("MI;I", "alu", "alu", "bit_field"), 2, NOPS, 4, "window"),
        (view("MI;I;", "alu", "alu", "bit_field"), 2, NOPS, 1, "stop"),
        (view("M;MI", "alu", "getf", "bit_field"), 1, NOPS, 5, "window"),
        (view("M;MI", "alu", "getf", "alu"), 1, view("MMI", "getf", "alu", "alu"), 2,
         "split:port M"),
        # An I slot left of an MII bundle leaves I1 to a long immediate.
        (view("MII", "alu", "alu", "alu"), 2, view("MLX", "alu", "long_immediate", None), 4,
         "window"),
        # The template rules hold for what is left of a bundle.
        (view("MBB", "alu", "branch", "nop_b"), 2, NOPS, 1, "split:after template"),
        (view("MFB", "alu", "nop_f", "branch"), 2, NOPS, 1, "split:after branch"),
        (view("MFB", "alu", "nop_f", "nop_b"), 2, view("BBB", "nop_b", "nop_b", "nop_b"), 1,
         "split:before template"),
    ],
)  # fmt: skip
def test_continuing_in_the_middle_of_a_bundle(first, start, second, count, end):
    check(ITANIUM2, [first, second], count, end, start=start)


def test_exclusive_classes_as_a_what_if():
    machine = load_machine("itanium2", ["dispersal.exclusive_classes.fp_misc=[fp_arithmetic]"])
    window = [view("MFI", "nop_m", "fp_arithmetic", "nop_i"), view("MFI", "nop_m", "fp_misc",
              "nop_i")]  # fmt: skip
    check(ITANIUM2, window, 6, "window")
    check(machine.description, window, 4, "split:exclusive class")
    check(machine.description, window[::-1], 4, "split:exclusive class")


@pytest.mark.parametrize(
    ("window", "count", "end"),
    [
        # Two M ports, taken in order.
        ([view("MMI", "alu", "alu", "alu"), view("MII", "alu", "alu", "alu")], 3, "split:port M"),
        ([view("MMI", "alu", "getf", "alu")], 1, "split:port M"),
        ([view("MMI", "getf", "alu", "alu")], 3, "window"),
        ([view("MMI", "integer_load", "integer_store", "alu")], 3, "window"),
        # MMF splits before its first M and after its F.
        ([NOPS, view("MMF", "nop_m", "nop_m", "nop_f")], 3, "split:before template"),
        ([view("MMF", "nop_m", "nop_m", "nop_f"), NOPS], 3, "split:after template"),
        # No A-type syllable leaves an I slot.
        ([view("MII", "alu", "alu", "alu"), view("MII", "alu", "alu", "alu")], 4, "split:port I"),
        # Slot 2 of the second bundle is I1's, even if I0 is free.
        (
            [view("MFB", "nop_m", "nop_f", "nop_b"), view("MFI", "nop_m", "nop_f", "bit_field")],
            5, "split:port I",
        ),
        (
            [view("MFI", "nop_m", "nop_f", "alu"), view("MII", "nop_m", "alu", "alu")],
            5, "split:port I",
        ),
        # Compares and the odd operations of floating point only on F0.
        ([NOPS, view("MFI", "nop_m", "fp_compare", "nop_i")], 4, "split:port F"),
        ([NOPS, view("MFI", "nop_m", "fp_arithmetic", "nop_i")], 6, "window"),
        ([view("MIB", "nop_m", "nop_i", "branch"), NOPS], 3, "split:after branch"),
    ],
)  # fmt: skip
def test_merced(window, count, end):
    check(ITANIUM, window, count, end)


def test_itanium_2_issues_what_merced_splits():
    window = [
        view("MFB", "nop_m", "nop_f", "nop_b"),
        view("MFI", "nop_m", "fp_compare", "bit_field"),
    ]
    check(ITANIUM2, window, 6, "window")


def test_three_bundles():
    check(EPIC3, [NOPS] * 3, 9, "window", "M0 F0 I0 M1 F1 I1 M2 F2 I2")
    loads = view("MMI", "integer_load", "integer_store", "alu")
    check(EPIC3, [loads] * 3, 9, "window")
    long = view("MLX", "nop_m", "long_immediate", None)
    assert disperse(EPIC3, [long] * 3).count == 9
    branch = view("MFB", "nop_m", "nop_f", "branch")
    check(EPIC3, [NOPS, branch, NOPS], 6, "split:after branch")
    check(EPIC3, [NOPS, NOPS], 6, "window")


def test_matching_agrees_with_trying_every_assignment():
    """Any four M syllables issue together if and only if some assignment of ports exists."""
    classes = ["integer_load", "integer_store", "fp_load", "getf", "setf", "alu", "fence"]
    ports = [ITANIUM2.ports[name].accepts for name in ("M0", "M1", "M2", "M3")]
    for four in itertools.product(classes, repeat=4):
        possible = any(
            all(name in port for name, port in zip(four, order, strict=True))
            for order in itertools.permutations(ports)
        )
        window = [view("MMI", *four[:2], "nop_i"), view("MMI", *four[2:], "nop_i")]
        assert (disperse(ITANIUM2, window).count == 6) == possible, four


def random_program(machine, bundles, seed):
    """Any rows in any slots that take them, any templates."""
    chosen = random.Random(seed)
    rows = operations().family(machine.instructions)
    names = list(rows)
    fitting = {
        kind: [i for i, n in enumerate(names) if kind in {"A": "MI", "LX": "L"}.get(
            rows[n].slot_kind, rows[n].slot_kind)]
        for kind in "MIFBL"
    }  # fmt: skip
    early = [i for i in fitting["B"] if "last_slot" not in rows[names[i]].flags]
    code = np.zeros((3 * bundles, COLUMNS), dtype=np.int64)
    templates = np.zeros(bundles, dtype=np.uint8)
    for bundle in range(bundles):
        template = chosen.choice(list(machine.templates.values()))
        templates[bundle] = template.code
        for slot, kind in enumerate(template.slots):
            among = early if kind == "B" and slot < 2 else fitting.get(kind)
            code[3 * bundle + slot, 0] = CONTINUATION if kind == "X" else chosen.choice(among)
    return BundleProgram("epic", "random", names, code, templates)


@pytest.mark.parametrize("machine", [ITANIUM2, ITANIUM, EPIC3], ids=lambda m: m.name)
def test_the_table_is_what_disperse_says(machine):
    program = random_program(machine, 900, seed=7)
    table = DispersalTable(program, machine)
    names = {template.code: name for name, template in machine.templates.items()}
    rows = operations().family(machine.instructions)
    classes = [rows[n].scheduling_class for n in program.operations]
    views = [
        view(names[int(code)], *(
            None if s == CONTINUATION else classes[s] for s in program.code[3 * b : 3 * b + 3, 0]
        ))
        for b, code in enumerate(program.templates)
    ]  # fmt: skip
    assert table.count.shape == (900, 3, machine.dispersal.bundles_per_cycle)
    seen = set()
    for bundle, slot in itertools.product(range(900), range(3)):
        for available in range(machine.dispersal.bundles_per_cycle):
            expected = disperse(machine, views[bundle : bundle + available + 1], slot)
            seen.add(expected.end)
            assert table.count[bundle, slot, available] == expected.count
            assert ENDS[table.end[bundle, slot, available]] == expected.end
    assert len(seen) >= 7


def test_a_syllable_that_can_never_issue_is_an_input_error():
    machine = load_machine("itanium2", ["ports.B1.accepts=[nop_b]"]).description
    names = ["nop.m", "nop.b", "br.cond"]
    assert set(names) <= set(operations().family("ia64"))
    code = np.zeros((3, COLUMNS), dtype=np.int64)
    code[:, 0] = (0, 2, 1)
    template = np.array([machine.templates["MBB"].code], dtype=np.uint8)
    places = [Location("x.s", line) for line in (1, 2, 3)]
    program = BundleProgram("epic", "x", names, code, template, locations=places)
    with pytest.raises(InputError, match="'branch' from slot 1 of an MBB bundle") as e:
        DispersalTable(program, machine)
    assert e.value.diagnostics[0].location == places[1]
