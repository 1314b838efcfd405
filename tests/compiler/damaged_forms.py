"""Damage to the text of machine code: what a hand or a pass may get wrong, one line of it.

for damage in DAMAGES:                          a name and the forms it is for
    line, lines = damage.do(lines, random)      the line on which it has to be found
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from machines.instructions import operations
from machines.operations.row import Immediate, Label, Lane, Operation, RegisterKind, Symbol

MACHINE_CODE = ("virtual", "allocated", "scheduled", "bundled")
_INSTRUCTION = re.compile(
    r"    (?P<guard>@!?[%\w.$!]+ )?(?P<results>[^={]+? = )?(?P<name>[\w.]+)(?P<operands>[^{]*)"
    r"(?P<attributes> \{.*\})?\Z"
)


@dataclass(frozen=True)
class Line:
    """An instruction in its line; the parts put together are the line."""

    number: int
    row: Operation
    guard: str
    results: tuple[str, ...]
    operands: tuple[str, ...]
    attributes: str

    def text(self, **parts) -> str:
        values = {key: getattr(self, key) for key in ("guard", "results", "operands", "attributes")}
        values |= {"name": self.row.name} | parts
        results = ", ".join(values["results"]) + " = " if values["results"] else ""
        operands = f" {', '.join(values['operands'])}" if values["operands"] else ""
        return f"    {values['guard']}{results}{values['name']}{operands}{values['attributes']}"


@dataclass(frozen=True)
class Text:
    """Machine code in a form: its lines, of which those that are instructions are known."""

    family: str
    form: str
    lines: tuple[str, ...]

    @property
    def code(self) -> list[Line]:
        return list(self._read())

    def _read(self) -> Iterator[Line]:
        rows = operations().family(self.family)
        for number, line in enumerate(self.lines):
            match = _INSTRUCTION.match(line)
            if match and match["name"] in rows:
                results = (match["results"] or "").removesuffix(" = ")
                operands = match["operands"].strip()
                yield Line(
                    number,
                    rows[match["name"]],
                    match["guard"] or "",
                    tuple(results.split(", ")) if results else (),
                    tuple(operands.split(", ")) if operands else (),
                    match["attributes"] or "",
                )


Damaged = tuple[int, str]
"""The number of a line, counted from 0, and what stands there now."""


@dataclass(frozen=True)
class Damage:
    """A way to damage code; `do` gives nothing if the code has no place for it."""

    name: str
    do: Callable[[Text, Random], Damaged | None]
    forms: tuple[str, ...] = MACHINE_CODE
    families: tuple[str, ...] = ("ia64", "ptx")


_WORDS = re.compile(r"[\w.%!$]+|\n|[ \t]+|.")
_JUNK = (
    "%x", "r1", "p3", "d3", "r999", "@", "@k", "!", "{", "}", "(", ")", "[", "]", "=", ",", ":",
    '"', '"a"', "1", "-1", "99999999999999999999", "1e400", "nan", "0x", "true", "none", "i64",
    "é", "\\", "to", "func", "form", "entry", "loop", "exit", "br.ret", "phi.i64", "KernelFrame(",
    "{cycle: 1}", '{template: "MII"}', "{control: {0: 1}}", '{passes: ("")}', "{spill_slot: {}}",
)  # fmt: skip


def with_words_changed(text: Text, random: Random) -> str:
    """The text with a few words left out, put in, or in the place of others."""
    words = _WORDS.findall("\n".join(text.lines))
    for _ in range(random.choice((1, 1, 2, 4))):
        place = random.randrange(len(words))
        change = random.choice(("out", "junk", "other", "in", "swap"))
        if change == "out":
            del words[place]
        elif change == "in":
            words.insert(place, random.choice(_JUNK))
        elif change == "swap":
            other = random.randrange(len(words))
            words[place], words[other] = words[other], words[place]
        else:
            words[place] = random.choice(_JUNK if change == "junk" else words)
    return "".join(words)


DAMAGES: list[Damage] = []


def damage(forms: tuple[str, ...] = MACHINE_CODE, families: tuple[str, ...] = ("ia64", "ptx")):
    def add(do: Callable[[Text, Random], Damaged | None]):
        DAMAGES.append(Damage(do.__name__, do, forms, families))
        return do

    return add


def _operand(text: Text, random: Random, *kinds: type) -> tuple[Line, int] | None:
    """An instruction, and the place of an operand of it that is read and of such a kind."""
    found = [
        (line, place)
        for line in text.code
        for place, operand in enumerate(line.row.reads)
        if isinstance(operand.kind, kinds) and place < len(line.operands)
    ]
    return random.choice(found) if found else None


def _with(line: Line, place: int, operand: str) -> Damaged:
    operands = (*line.operands[:place], operand, *line.operands[place + 1 :])
    return line.number, line.text(operands=operands)


def _register_operand(text: Text, random: Random) -> tuple[Line, int] | None:
    found = [
        (line, place)
        for line in text.code
        for place, operand in enumerate(line.row.reads)
        if isinstance(operand.kind, RegisterKind | Lane)
        and line.operands[place][0] in "%rfpbd"
        and line.operands[place][-1].isalnum()
    ]
    return random.choice(found) if found else None


def _files(text: Text) -> dict[str, str]:
    """Registers of the text with their files."""
    found: dict[str, str] = {}
    for line in text.code:
        pairs = [*zip(line.row.writes, line.results, strict=False)]
        pairs += zip(line.row.reads, line.operands, strict=False)
        for operand, name in pairs:
            if isinstance(operand.kind, RegisterKind | Lane) and name[0] in "%rfpd":
                found.setdefault(name, operand.kind.file)
    return found


@damage()
def a_register_that_nothing_writes(text: Text, random: Random) -> Damaged | None:
    line, place = _register_operand(text, random)
    kind, used = line.row.reads[place].kind, _files(text)
    if text.form == "virtual":
        return _with(line, place, "%nobody")
    free = [n for n in range(15, 2, -1) if f"{kind.prefix}{n}" not in used]
    if kind.prefix == "d" or (kind.prefix == "r" and text.family == "ptx"):
        free = [200]
    if kind.prefix == "p" and text.family == "ptx":
        free = [n for n in range(6, 0, -1) if f"p{n}" not in used]
    if kind.prefix in "b" or not free or kind.objection(free[0]):
        return None
    return _with(line, place, f"{kind.prefix}{free[0]}")


@damage()
def a_register_of_another_file(text: Text, random: Random) -> Damaged | None:
    line, place = _register_operand(text, random)
    others = [n for n, file in _files(text).items() if file != line.row.reads[place].kind.file]
    return _with(line, place, random.choice(others))


@damage(forms=MACHINE_CODE[1:])
def a_register_that_the_machine_lacks(text: Text, random: Random) -> Damaged | None:
    line, place = _register_operand(text, random)
    return _with(line, place, f"{line.row.reads[place].kind.prefix}{random.choice((256, 1000))}")


@damage(forms=MACHINE_CODE[1:])
def a_virtual_register_behind_allocation(text: Text, random: Random) -> Damaged | None:
    line, place = _register_operand(text, random)
    return _with(line, place, "%left")


@damage()
def a_name_of_no_register(text: Text, random: Random) -> Damaged | None:
    line, place = _register_operand(text, random)
    return _with(line, place, random.choice(("q7", "x", "rr1", "r")))


@damage(families=("ia64",))
def a_number_for_a_register(text: Text, random: Random) -> Damaged | None:
    line, place = _register_operand(text, random)
    return _with(line, place, "7")


@damage(families=("ptx",), forms=MACHINE_CODE[1:3])
def a_pair_that_begins_at_an_odd_register(text: Text, random: Random) -> Damaged | None:
    found = [
        (line, place)
        for line in text.code
        for place, name in enumerate(line.operands)
        if re.fullmatch(r"d\d+", name)
    ]
    if not found:
        return None
    line, place = random.choice(found)
    return _with(line, place, "d7")


@damage()
def a_lost_label(text: Text, random: Random) -> Damaged | None:
    found = _operand(text, random, Label)
    return found and _with(*found, "nowhere")


@damage()
def a_lost_buffer(text: Text, random: Random) -> Damaged | None:
    found = _operand(text, random, Symbol)
    return found and _with(*found, "nothing")


@damage(families=("ia64",))
def a_lost_function(text: Text, random: Random) -> Damaged | None:
    found = [line for line in text.code if line.row.control == "call"]
    return _with(random.choice(found), 1, "@nobody") if found else None


@damage()
def a_number_that_does_not_fit(text: Text, random: Random) -> Damaged | None:
    found = _operand(text, random, Immediate)
    if not found or found[0].row.reads[found[1]].kind.bits > 62:
        return None
    return _with(*found, str(random.choice((1 << 63, -(1 << 63)))))


@damage()
def an_operand_too_few(text: Text, random: Random) -> Damaged | None:
    line = random.choice([line for line in text.code if line.operands])
    return line.number, line.text(operands=line.operands[:-1])


@damage()
def an_operand_too_many(text: Text, random: Random) -> Damaged | None:
    line = random.choice([line for line in text.code if line.operands])
    return line.number, line.text(operands=(*line.operands, "1"))


@damage()
def a_result_too_many(text: Text, random: Random) -> Damaged | None:
    line = random.choice([line for line in text.code if line.results])
    return line.number, line.text(results=(*line.results, line.results[0]))


@damage()
def an_operation_that_is_not_there(text: Text, random: Random) -> Damaged | None:
    line = random.choice(text.code)
    return line.number, line.text(name=line.row.name + random.choice("xq"))


@damage()
def a_guard_of_another_file(text: Text, random: Random) -> Damaged | None:
    names = [name for name, file in _files(text).items() if file not in ("pr", "pred")]
    line = random.choice([line for line in text.code if not line.row.control])
    return line.number, line.text(guard=f"@{random.choice(names)} ")


@damage(families=("ptx",))
def a_guard_on_a_terminator(text: Text, random: Random) -> Damaged | None:
    names = [name for name, file in _files(text).items() if file == "pred"]
    line = random.choice([line for line in text.code if line.row.is_terminator])
    return line.number, line.text(guard=f"@{random.choice(names)} ")


@damage(families=("ptx",))
def a_terminator_inside_a_block(text: Text, random: Random) -> Damaged | None:
    code = [line for line in text.code if not line.row.is_terminator]
    return random.choice(code).number, "    exit"


@damage(families=("ptx",))
def a_block_without_an_end(text: Text, random: Random) -> Damaged | None:
    line = random.choice([line for line in text.code if line.row.is_terminator])
    return line.number, "    bar.sync 0, 0"


@damage(families=("ia64",))
def a_negated_guard(text: Text, random: Random) -> Damaged | None:
    found = [line for line in text.code if line.guard]
    line = random.choice(found) if found else None
    return line and (line.number, line.text(guard=line.guard.replace("@", "@!")))


@damage(families=("ia64",))
def a_constant_that_is_written(text: Text, random: Random) -> Damaged | None:
    found = [
        line
        for line in text.code
        if line.results and line.row.writes[0].kind.file in ("gr", "fr") and not line.guard
    ]
    line = random.choice(found)
    name = f"{line.row.writes[0].kind.prefix}0"
    return line.number, line.text(results=(name, *line.results[1:]))


@damage(forms=("scheduled",), families=("ia64",))
def an_instruction_without_a_row(text: Text, random: Random) -> Damaged | None:
    line = random.choice([line for line in text.code if "cycle" in line.attributes])
    return line.number, line.text(attributes=line.attributes.replace("cycle: ", "circle: "))


@damage(forms=("scheduled",), families=("ia64",))
def a_row_that_goes_back(text: Text, random: Random) -> Damaged | None:
    found = [line for line in text.code if re.search(r"cycle: [1-9]", line.attributes)]
    line = random.choice(found)
    before = next(other for other in text.code if other.number == line.number - 1)
    last = re.search(r"cycle: (\d+)", before.attributes)
    if not last or last[1] == "0":
        return None
    earlier = re.sub(r"cycle: \d+", "cycle: 0", line.attributes)
    return line.number, line.text(attributes=earlier)


@damage(forms=("bundled",))
def a_template_that_the_machine_lacks(text: Text, random: Random) -> Damaged | None:
    line = random.choice([line for line in text.code if "template" in line.attributes])
    other = re.sub(r'template: "[^"]*"', 'template: "MQQ"', line.attributes)
    return line.number, line.text(attributes=other)


@damage(forms=("bundled",))
def a_template_of_other_slots(text: Text, random: Random) -> Damaged | None:
    line = random.choice([line for line in text.code if '"M' in line.attributes])
    other = re.sub(r'template: "[^"]*"', 'template: "BBB"', line.attributes)
    return line.number, line.text(attributes=other)


@damage(forms=("bundled",))
def a_nop_of_another_slot(text: Text, random: Random) -> Damaged | None:
    line = random.choice([line for line in text.code if line.row.name in ("nop.i", "nop.m")])
    name = "nop.f" if line.row.name == "nop.m" else "nop.m"
    return line.number, line.text(name=name)


@damage(forms=("bundled",))
def a_bundle_that_ends_early(text: Text, random: Random) -> Damaged | None:
    """A template where the bundle before is not full: that one's last line is refused."""
    found = [
        (line, following)
        for line, following in zip(text.code, text.code[1:], strict=False)
        if "template" in line.attributes
        and "template" not in following.attributes
        and line.row.slot_kind != "LX"
        and following.number == line.number + 1
    ]
    line, _ = random.choice(found)
    return line.number + 1, f'{text.lines[line.number + 1].split(" {")[0]} {{template: "MII"}}'


def _with_control_bits(bits: tuple[int, ...]) -> Callable[[Text, Random], Damaged]:
    def do(text: Text, random: Random) -> Damaged:
        line = random.choice([line for line in text.code if "control" in line.attributes])
        return line.number, line.text(attributes=f" {{control: {{0: {bits}}}}}")

    return do


for _bits in (
    (0, 0, 7, 7, 0), (16, 0, 7, 7, 0), (1, 2, 7, 7, 0), (1, 0, 6, 7, 0), (1, 0, 7, 8, 0),
    (1, 0, 7, 7, 64), (1, 0, 7, 7),
):  # fmt: skip
    _name = "control_bits_" + "_".join(map(str, _bits))
    DAMAGES.append(Damage(_name, _with_control_bits(_bits), ("scheduled",), ("ptx",)))


@damage(forms=("scheduled",), families=("ptx",))
def no_control_bits(text: Text, random: Random) -> Damaged | None:
    found = [line for line in text.code if "control" in line.attributes]
    line = random.choice(found) if found else None
    return line and (line.number, line.text(attributes=""))


@damage(families=("ptx",))
def a_block_that_meets_nowhere(text: Text, random: Random) -> Damaged | None:
    heads = [n for n, line in enumerate(text.lines) if re.match(r"[\w.$]+:( \{.*)?\Z", line)]
    number = random.choice(heads)
    return number, text.lines[number].split(":")[0] + ': {reconverge: "nowhere"}'


@damage()
def an_attribute_without_a_value(text: Text, random: Random) -> Damaged | None:
    line = random.choice(text.code)
    return line.number, line.text(attributes=random.choice((" {cycle:}", " {kernel: Loop(ii: 2)}")))
