"""Machine files: extends, overrides, sources, rules across fields; the machines that come along."""

import textwrap

import jsonschema
import pytest
import yaml

from machines.description.json_schema import json_schema
from machines.description.load import FOLDER, load_machine, machine_names
from machines.diagnostics import InputError

MACHINES = machine_names()


def findings(machine, *overrides):
    with pytest.raises(InputError) as caught:
        load_machine(machine, overrides)
    return caught.value.diagnostics


def variant(tmp_path, text, name="variant.yaml"):
    path = tmp_path / name
    path.write_text(textwrap.dedent(text))
    return str(path)


def test_the_machines_that_come_along():
    assert {"itanium2", "itanium", "epic3"} <= set(machine_names("epic"))
    assert {"v100", "a100", "h200", "teaching_gpu"} <= set(machine_names("simt"))
    assert all(load_machine(name).name == name for name in MACHINES)


def test_figures_of_itanium_2():
    machine = load_machine("itanium2").description
    assert machine.clock == 1_000_000_000
    assert [c.sets for c in (machine.memory.l1d, machine.memory.l2, machine.memory.l3)] == [
        64, 256, 2048,
    ]  # fmt: skip
    assert machine.latency("integer_load") == machine.latency("integer_load", "integer") == 1
    assert machine.latency("integer_load", "address") == 2
    assert (machine.latency("fp_load"), machine.latency("fp_load", "getf")) == (6, 7)
    assert machine.latency("shift_variable", "integer") == 3
    assert machine.latency("shift_variable", "multimedia") == 2
    assert machine.latency("compare", "branch") == 0
    multiply = sum(
        machine.latency(name, use)
        for name, use in (("setf", "fp"), ("fp_integer_multiply", "getf"), ("getf", "integer"))
    )
    assert multiply == 14
    assert len(machine.templates) == 24 and machine.templates["M;MI;"].code == 0x0B


def test_itanium_differs_where_it_says_so():
    machine = load_machine("itanium").description
    assert "M2" not in machine.ports and machine.dispersal.matched_slots == {}
    assert machine.branches.mispredict == 9
    assert machine.latency("fp_load") == machine.latency("fp_load", "fp_store_data") == 9
    assert machine.latency("compare", "branch") == 0
    assert machine.memory.l2.sets == 256
    base = load_machine("itanium2").description
    assert machine.memory.main.latency_time == base.memory.main.latency_time == 160.0


def test_what_a_variant_inherits_can_be_given_another_source():
    shown = {field.path: field for field in load_machine("itanium").fields()}
    assert shown["latencies.compare.result"].evidence.startswith("assumed: as on Itanium 2")
    assert shown["latencies.fp_load.extra.getf"].evidence == "manual: [GCC1]"
    assert shown["latencies.compare.result"].location.file.endswith("itanium2.yaml")
    base = {field.path: field for field in load_machine("epic3").fields()}
    assert base["latencies.compare.result"].evidence == "manual: [KAPI]"


@pytest.mark.parametrize("name", MACHINES)
def test_every_figure_shown_has_a_sentence_and_a_source(name):
    for field in load_machine(name).fields():
        assert field.sentence.endswith("."), field.path
        is_prose = field.location is None or field.path.split(".")[0] in (
            "kind", "name", "title", "modelled", "left_out", "sources", "instructions",
        )  # fmt: skip
        is_convention = field.path.split(".")[-1] in (
            "arguments", "result", "stack_pointer", "reserved", "wait",
        )  # fmt: skip
        assert field.evidence or is_prose or is_convention, field.path


def test_fields_carry_units_and_places():
    shown = {field.path: field for field in load_machine("itanium2").fields()}
    size = shown["memory.l1d.size"]
    assert (size.value, size.unit) == (16384, "bytes")
    assert size.location.file.endswith("itanium2.yaml") and size.location.line > 100
    assert shown["latencies.integer_load.extra.address"].unit == "cycles"
    assert shown["memory.main.latency_time"].unit == "ns"


def test_hashes_tell_machines_apart_and_equal_ones_not(tmp_path):
    hashes = {load_machine(name).content_hash for name in MACHINES}
    assert len(hashes) == len(MACHINES)
    same = load_machine("itanium2", ["memory.l1d.size=16384 B"])
    assert same.content_hash == load_machine("itanium2").content_hash
    assert load_machine("itanium2", ["clock=900 MHz"]).content_hash != same.content_hash


def test_descriptions_are_frozen():
    with pytest.raises(ValueError, match="frozen"):
        load_machine("itanium2").description.clock = 1


def test_overrides_change_values_and_their_source():
    machine = load_machine(
        "itanium2",
        [
            "memory.l1d.size=32KiB",
            "dispersal.harmless=[nop_b]",
            "latencies.alu.bypasses.address=4 cycles",
            "memory.l3=null",
            "branches={taken_bubble: 1 cycle}",
        ],
    )
    description = machine.description
    assert description.memory.l1d.size == 32768 and description.memory.l3 is None
    assert description.dispersal.harmless == ("nop_b",)
    assert description.latencies["alu"].bypasses == {"multimedia": 2, "address": 4}
    assert (description.branches.taken_bubble, description.branches.mispredict) == (1, 6)
    shown = {field.path: field for field in machine.fields()}
    assert shown["memory.l1d.size"].evidence == "assumed: command line"
    assert str(shown["memory.l1d.size"].location) == "--set:1:17"


@pytest.mark.parametrize(
    ("override", "column", "message", "hint"),
    [
        ("memory.l1d.sizes=1KiB", 12, "there is no 'sizes' in 'memory.l1d'", "'size'"),
        ("memry.l1d.size=1KiB", 1, "there is no 'memry'", "'memory'"),
        ("latencies.aluu.result=1 cycle", 11, "there is no 'aluu' in 'latencies'", "'alu'"),
        ("latencies.alu.bypasses.adress=1 cycle", 24, "'adress' is not one of", "'address'"),
        ("memory.l1d.size=32", 17, "32 has no unit", "'16 KiB'"),
        ("memory.l1d.size=33 KiB", 17, "4 ways of 64-byte lines make 132 sets", "power of two"),
        ("memory.l1d.size", 1, "is not an override", "memory.l1d.size=32KiB"),
        ("=3", 1, "is not an override", None),
        ("memory.l1d.size=", 17, "'memory.l1d.size' is given no value", "null removes"),
        ("memory.l3= ", 11, "'memory.l3' is given no value", "null removes 'memory.l3'"),
        ("memory.l3=# no", 11, "'memory.l3' is given no value", None),
        ("latencies.integer_load.extra.setf=", 35, "is given no value", "may be empty"),
        ("memory={}", 8, "'memory={}' changes nothing", "!replace {} empties"),
        ("dispersal.fixed_ports={}", 23, "changes nothing", None),
        ("memory={l1d: {}}", 9, "'l1d' says nothing new", "null removes 'l1d'"),
        ("memory={l1d: }", 9, "'l1d' has no value", "null"),
        ("memory={l3: null, l1d}", 19, "'l1d' has no value", None),
        ("latencies.alu.extra=null", 15, "there is no 'extra' to remove", "bypasses"),
        ("memory..size=3", 1, "is not an override", None),
        ("memory.l1d.size.x=3", 17, "there is no 'x' in 'memory.l1d.size'", None),
        ("memory.l1d.replacement=fifo", 24, "'fifo' is not one of", None),
        ("clock=[1", 9, "expected ',' or ']'", None),
        ("clock=*x", 7, "alias '*x' is not allowed", None),
        ("registers.special={count: 3}", 11, "'special' is not one of", None),
        ("clock={value: 1 GHz, source: guess}", 30, "how the figure is known", "measured"),
        ('clock={value: 1 GHz, source: "manual: [XY]"}', 15, "source [XY] is not in", None),
        ("ports.M9=null", 7, "there is no 'M9' to remove", "M0"),
    ],
)
def test_broken_overrides(override, column, message, hint):
    found = [f for f in findings("itanium2", override) if message in f.message]
    assert found, [str(f) for f in findings("itanium2", override)]
    assert (found[0].location.file, found[0].location.column) == ("--set", column)
    assert found[0].source_line == override
    assert hint is None or hint in found[0].hint


@pytest.mark.parametrize(
    ("overrides", "column", "field", "hint"),
    [
        (["memory.l1d.bank_bytes=32 B"], 23, "memory.l1d.bank_bytes", "when banks is not 0"),
        (["memory={l1d: {retry: 3 cycles}}"], 22, "memory.l1d.retry", "more accesses can come"),
        (["memory.l3.holds_fp=false"], 20, "memory.l3.holds_fp", "no nearer cache"),
        (["latencies.compare.wait=load"], 24, "latencies.compare.wait", "later than a cycle"),
        (["title=faster"], 7, "title", "describes only"),
        (["sources.KAPI=a book"], 14, "sources.KAPI", "describes only"),
        (["memory.l2.banks=0", "memory.l2.bank_bytes=8 B"], 22, "memory.l2.bank_bytes", "banks"),
        (["memory.l2.bank_bytes=8 B", "memory.l2.banks=0"], 22, "memory.l2.bank_bytes", "banks"),
    ],
)
def test_an_override_without_effect_says_why(overrides, column, field, hint):
    (found,) = findings("itanium2", *overrides)
    assert found.message == f"nothing that 'itanium2' does depends on '{field}'"
    assert hint in found.hint
    assert (found.location.file, found.location.column) == ("--set", column)
    assert any(found.source_line == override for override in overrides)


@pytest.mark.parametrize(
    "overrides",
    [
        ["memory.l1d.banks=4", "memory.l1d.bank_bytes=8 B", "memory.l1d.retry=1 cycle"],
        ["memory.l1d.accesses=1", "memory.l1d.retry=1 cycle"],
        ["memory.l2.holds_fp=false", "memory.l3.holds_fp=true"],
        ["latencies.compare={result: 2 cycles, wait: load}"],
        ["memory.l3=null"],
    ],
)
def test_what_another_setting_makes_matter_can_be_overridden(overrides):
    load_machine("itanium2", overrides)


def test_what_a_machine_inherits_without_effect_is_no_finding(tmp_path):
    text = "extends: itanium2\nname: x\nsource: 'assumed: x'\nmemory: {l1d: {bank_bytes: 8 B}}\n"
    shown = {field.path: field for field in load_machine(variant(tmp_path, text)).fields()}
    assert shown["memory.l1d.bank_bytes"].unread == (
        "it is read when banks is not 0 and accesses is at least 2"
    )
    assert shown["title"].unread == "it describes only"
    assert shown["memory.l2.bank_bytes"].unread is None


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("instructions=ia65", "no instructions for bundles are called 'ia65'"),
        ("instructions=ir", "no instructions for bundles are called 'ir'"),
        ("templates.MII.code=1", "code 0x1 is also that of 'MII'"),
        ("templates.MII.stops=[3]", "should be less than or equal to 2"),
        ("templates.MLX.slots=[M, L, I]", "an L slot is followed by an X slot"),
        ("dispersal.ends_group_after=[MIX]", "no template has the slots 'MIX'"),
        ("dispersal.begins_group_after.BBB=[ABC]", "no template has the slots 'ABC'"),
        ("dispersal.branch_port=B7", "no port 'B7'"),
        ("dispersal.ordered_slots.I=[I0, I7]", "no port 'I7'"),
        ("dispersal.ordered_slots.M=[M0]", "M slots are also in matched_slots"),
        ("dispersal.ordered_slots.F=null", "F slots have no ports"),
        ("dispersal.fixed_ports={I2.0: I1}", "'I2.0' is no slot of the window"),
        ("dispersal.fixed_ports={X: I1}", "'X' is no slot of the window"),
        ("dispersal.fixed_ports={M1.0: M1}", "M slots are not in ordered_slots"),
        ("dispersal.by_bundle=[F, L, M]", "M slots are not in ordered_slots"),
        ("dispersal.branch_ports=[B0, B1]", "a port for each of slots 0, 1, 2"),
        ("dispersal.spill_to=null", "spilled syllables go to a kind of matched_slots"),
        ("dispersal.bundles_per_cycle=3", "F slots need a port for each bundle"),
        ("ports.M0.accepts=[integer_laod]", "no instruction has the class 'integer_laod'"),
        ("dispersal.spill_classes=[aluu]", "no instruction has the class 'aluu'"),
        ("ports.M2.accepts=[nop_m]", "no port accepts 'getf' from M slots"),
        (
            "ports.B0.accepts=[branch, call, return, branch_hint, break_b]",
            "'B0' does not accept 'nop_b'",
        ),
        ("latencies.getf=null", "class 'getf' has no latency"),
        ("memory.l2.line=96 B", "a line is a power of two"),
        ("memory.l2.banks=3", "banks and bank_bytes are powers of two"),
        ("memory.l2.latency=13 cycles", "l3 is faster than l2"),
        ("memory.l2.line=32 B", "lines of l2 are shorter than those of l1d"),
        ("memory.main.latency_cycles=3 cycles", "main memory is faster than l3"),
        ("latencies.fp_load.result=7 cycles", "the cache says how long a load takes"),
        ("latencies.integer_load.bypasses={address: 2 cycles}", "the cache says how long"),
        ("latencies.alu.extra={address: 2 cycles}", "'alu' is no load class"),
        ("latencies.alu.result=null", "'alu' has no result"),
        ("latencies.alu.result=1000001 cycles", "more than 1e+06 cycles"),
        ("registers.general.arguments=[1]", "register 1 is reserved"),
        ("registers.predicate.arguments=[1]", "predicate registers do not do that"),
        ("registers.floating.stack_pointer=12", "floating registers do not do that"),
        ("registers.branch.rotating=[1, 2]", "branch registers do not do that"),
        ("registers.floating.reserved=[0]", "register 1 is not for the allocator"),
        ("latencies.alu.bypasses={fp: 3 cycles}", "no result of 'alu' is read so"),
        ("latencies.branch={result: 1 cycle, wait: integer}", "no instruction writes what has"),
        ("registers.general.result=0", "register 0 is reserved"),
        ("registers.general.arguments=[32, 32]", "a register is named twice"),
        ("registers.general.reserved=[0]", "register 12 is not for the allocator"),
        ("branches.fetch_bytes=128 B", "fetch brings at most a line of l1i"),
        ("branches.fetch_bytes=48 B", "a power of two of 16-byte bundles"),
        ("registers.branch=null", "'branch' is missing"),
        ("registers.predicate.count=65", "there are names for 64 registers"),
        ("registers.branch.count=9", "there are names for 8 registers"),
        ("registers.branch.result=9", "there are registers 0 to 7"),
        ("registers.general.rotating=[40, 32]", "the first register comes first"),
        ("registers.predicate.rotating=[8, 63]", "predicates rotate from p16 on, or some of them"),
        ("stall_order.load=null", "stall cause 'load' is missing"),
    ],
)
def test_rules_across_fields(override, message):
    assert any(message in f.message for f in findings("itanium2", override))


def test_a_class_without_ports_or_latency_is_named_with_its_place():
    found = findings("itanium2", "ports.M2.accepts=[alu, compare, nop_m, break_m, foo]")
    assert {f.location.file for f in found} <= {"--set", "machines/itanium2.yaml"}
    assert any("no port accepts 'allocate'" in f.message for f in found)


def test_extends_a_file_beside_it(tmp_path):
    variant(
        tmp_path, "extends: itanium2\nname: middle\nclock: {value: 2 GHz, source: 'assumed: x'}"
    )
    path = variant(
        tmp_path, "extends: ./variant.yaml\nname: top\nclock: {value: 3 GHz, source: 'assumed: x'}",
        "top.yaml",
    )  # fmt: skip
    machine = load_machine(path)
    assert (machine.name, machine.description.clock) == ("top", 3_000_000_000)


def test_extends_merges_removes_and_replaces(tmp_path):
    base = load_machine("itanium2").description.stall_order
    order = "".join(f"  {cause}: {base[cause]}\n" for cause in reversed(base))
    text = """\
        extends: itanium2
        name: small
        source: "assumed: a test"
        memory: {l1d: {size: 8 KiB}, l3: null}
        stall_order: !replace
        """
    path = variant(tmp_path, textwrap.dedent(text) + order)
    description = load_machine(path).description
    assert description.memory.l1d.size == 8192 and description.memory.l1d.ways == 4
    assert description.memory.l3 is None
    assert list(description.stall_order) == list(reversed(base))


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ("extends: itanium3\n", "1:10", "there is no machine 'itanium3'", "itanium"),
        ("extends: other.yaml\n", "1:10", "there is no machine file", None),
        ("extends: ./variant.yaml\n", "1:10", "cannot extend itself", None),
        ("extends: [itanium2]\n", "1:10", "names a machine or a file", None),
        ("name: x\n", "1:1", "'kind' is missing", "epic"),
        ("kind: {epic: 1}\n", "1:7", "there is no machine kind {'epic': 1}", "epic"),
        ("kind: simd\n", "1:7", "there is no machine kind 'simd'", "simt"),
        ("- epic\n", "1:1", "expected a mapping", None),
        ("extends: itanium2\nports: {M9: null}\n", "2:9", "there is no 'M9' to remove", "M0"),
        ("extends: itanium2\nclock: 2 GHz\n", "2:8", "says not where the figure comes", "source"),
        ("extends: itanium2\nmemory:\n  l1d: {size: 1 KiB}\n", "3:15", "says not where", None),
        ("extends: itanium2\nsource: guess\nclock: 2 GHz\n", "2:9", "figure is known", None),
        ("extends: itanium2\nbranches:\n  mispredit: 3 cycles\n", "3:3", "unknown", "mispredict"),
        ("extends: itanium2\nname: x\nmemory: {l1d: {}}\n", "3:10", "says nothing new", "null"),
        ("extends: itanium2\nname: x\nmemory:\n  l3:\n", "4:3", "'l3' has no value", "null"),
        ("extends: itanium2\nname: x\nports: {source: 'assumed: x'}\n", "3:1", "nothing new", None),
        ("extends: itanium2\nextends: itanium\n", "2:1", "key 'extends' is given twice", "line 1"),
    ],
)  # fmt: skip
def test_broken_files(tmp_path, text, place, message, hint):
    found = [f for f in findings(variant(tmp_path, text)) if message in f.message]
    assert found
    assert f"{found[0].location.line}:{found[0].location.column}" == place
    assert found[0].location.file.endswith("variant.yaml")
    assert hint is None or hint in found[0].hint


def test_findings_of_values_and_rules_of_bases_point_into_the_base(tmp_path):
    path = variant(
        tmp_path,
        "extends: itanium2\nsource: 'assumed: x'\nports: {I0: {accepts: [nop_i, alu, compare]}}\n",
    )
    found = [f for f in findings(path) if "no port accepts 'bit_field'" in f.message]
    assert found[0].location.line == 3 and found[0].source_line.startswith("ports")


def test_there_is_no_such_machine():
    assert "did you mean 'itanium2'?" in findings("itanum2")[0].hint
    assert "there is no machine file" in findings("no/such.yaml")[0].message


@pytest.mark.parametrize("name", MACHINES)
def test_the_json_schema_accepts_the_machines(name):
    data = yaml.load((FOLDER / f"{name}.yaml").read_text(), Loader=_Plain)
    schema = json_schema(load_machine(name).kind)
    jsonschema.Draft202012Validator(schema).validate(data)


@pytest.mark.parametrize(
    "data",
    [
        {"extends": "itanium2", "clok": "1 GHz"},
        {"extends": "itanium2", "clock": "1 cycles"},
        {"extends": "itanium2", "clock": {"value": "1 GHz"}},
        {"extends": "itanium2", "memory": {"l1d": {"size": 3}}},
        {"extends": "itanium2", "latencies": {"alu": {"bypasses": {"adress": "1 cycle"}}}},
        {"kind": "epic", "name": "x"},
    ],
)
def test_the_json_schema_refuses_what_the_loader_refuses(data):
    schema = jsonschema.Draft202012Validator(json_schema("epic"))
    assert list(schema.iter_errors(data))


def test_there_is_no_schema_for_unknown_kinds():
    with pytest.raises(InputError, match="no machine kind 'epik'"):
        json_schema("epik")


class _Point:
    """An entry point of an installed package."""

    dist = None

    def __init__(self, name, load):
        self.name, self.value, self.load = name, f"package:{name}", load


def test_machines_come_from_installed_packages_too(tmp_path, monkeypatch):
    path = variant(tmp_path, "extends: itanium2\nname: theirs\n")
    points = [_Point("theirs", lambda: path), _Point("broken", lambda: 1 / 0)]
    monkeypatch.setattr("machines.plugins.points_of", lambda group: points)
    failed = {}
    monkeypatch.setattr("machines.plugins.FAILED", failed)
    assert "theirs" in machine_names() and "broken" not in machine_names()
    assert load_machine("theirs").name == "theirs"
    assert "ZeroDivisionError" in failed["package:broken (unknown package)"]


def test_a_machine_name_taken_twice_names_both_owners(monkeypatch):
    points = [_Point("epic3", lambda: FOLDER / "epic3.yaml")]
    monkeypatch.setattr("machines.plugins.points_of", lambda group: points)
    assert "by both simrun and package:epic3" in findings("epic3")[0].message


class _Plain(yaml.SafeLoader):
    """As an editor reads it, without the tag that only the loader knows."""


_Plain.add_constructor("!replace", lambda loader, node: loader.construct_mapping(node, deep=True))
_Plain.add_constructor(
    "tag:yaml.org,2002:map",
    lambda loader, node: {
        key.value: loader.construct_object(value, deep=True) for key, value in node.value
    },
)


def test_a_load_takes_what_its_cache_takes():
    overrides = ["memory.l2.latency=8 cycles", "memory.l1d.latency=2 cycles"]
    machine = load_machine("itanium2", overrides).description
    assert (machine.latency("fp_load"), machine.latency("fp_load", "getf")) == (9, 10)
    assert (machine.latency("integer_load"), machine.latency("integer_load", "address")) == (2, 3)
