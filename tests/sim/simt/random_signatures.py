"""Random signatures of kernels, launched with random arguments; what every byte must be.

A kernel stores the bytes of its parameters to `out`, in pieces of random widths, and behind them
those of the file's variables, which arguments fill in whole, in part or not at all.  ctypes lays
structures out as the C compiler of this computer does, which is how nvcc does it.

    .param .align 8 .b8 p1[24]     {struct: [{i8: [1, 2, 3]}, {struct: [{f64: -0.5}, {u16: n}]}]}
    .const .u16 mask0[4] = {7, 8}  {dtype: u16, values: [1, 2, 3]}
"""

from __future__ import annotations

import ctypes
import json
import random
import re
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

FILL = 165
"""What `out` holds before: it stays where no parameter is."""
ARRAYS = {"x": ("f32", 40), "y": ("u8", 13), "z": ("f64", 5), "w": ("i64", 3)}
SCALARS = {"n": 37, "big": 4_000_000_000, "small": -5, "half": 0.5, "huge": 2**64 - 3}
_C_TYPES = {
    "i8": ctypes.c_int8, "i16": ctypes.c_int16, "i32": ctypes.c_int32, "i64": ctypes.c_int64,
    "u8": ctypes.c_uint8, "u16": ctypes.c_uint16, "u32": ctypes.c_uint32, "u64": ctypes.c_uint64,
    "f16": ctypes.c_uint16, "f32": ctypes.c_float, "f64": ctypes.c_double,
    "boolean": ctypes.c_bool, "ptr": ctypes.c_uint64,
}  # fmt: skip
_ALIGNERS = {8: ctypes.c_uint64, 16: ctypes.c_longdouble}
"""Types of an alignment: an array of none of them gives a structure that alignment."""

Addresses = dict[str, int]
Bytes = Callable[[Addresses], bytes]
"""What is to come out, once the addresses of arrays are known."""


@dataclass
class Parameter:
    """`declared` has {name} where the name stands; `wrong` are arguments that must be refused."""

    declared: str
    size: int
    alignment: int
    give: Callable[[], tuple[Any, Bytes]]
    wrong: list[Any] = field(default_factory=list)


@dataclass
class Variable:
    """A `__constant__` or `__device__` array of the file; `given` is the argument of its name."""

    declared: str
    symbol: str
    space: str
    width: int
    content: bytes
    given: dict[str, Any] | int | None
    wrong: dict[str, Any]


@dataclass
class Signature:
    """A workload of one kernel: its text, its program, and the bytes of each launch's `out`.

    wrong  the same with one argument each that cannot be what its parameter or variable is
    """

    ptx: str
    workload: dict[str, Any]
    expected: dict[str, Bytes]
    wrong: list[dict[str, Any]]

    def write(self, folder: Path, workload: dict[str, Any] | None = None) -> Path:
        (folder / "kernel.ptx").write_text(self.ptx)
        path = folder / "workload.yaml"
        path.write_text(json.dumps(workload or self.workload))
        return path


def random_signature(seed: int) -> Signature:
    """A signature, its launches, and arguments that are wrong for it."""
    return _Maker(random.Random(seed)).make()


class _Maker:
    def __init__(self, draw: random.Random):
        self.draw = draw

    def make(self) -> Signature:
        draw = self.draw
        parameters = [self.parameter() for _ in range(draw.randint(0, 6))]
        out = Parameter(".param .u64 {name}", 8, 8, lambda: ("", lambda _: b""))
        parameters.insert(draw.randint(0, len(parameters)), out)
        offsets, size = [], 0
        for one in parameters:
            size = -(-size // one.alignment) * one.alignment
            offsets.append(size)
            size += one.size
        variables = {
            f"mask{k}": self.variable(f"mask{k}") for k in range(draw.choice((0, 0, 1, 2)))
        }
        behind = b"".join(one.content for one in variables.values())
        expected, launches, arrays = {}, [], {}
        for name, (dtype, count) in ARRAYS.items():
            arrays[name] = {"dtype": dtype, "shape": [count], "value": 1}
        for number in range(draw.randint(1, 3)):
            name = f"out{number}"
            given = [(name, _address(name)) if one is out else one.give() for one in parameters]
            arguments = [argument for argument, _ in given]
            launches.append({"kernel": "k", "grid": [1], "block": [1], "arguments": arguments})
            pairs = list(zip(offsets, [made for _, made in given], strict=True))
            expected[name] = lambda addresses, pairs=pairs: _space(size, pairs, addresses) + behind
            arrays[name] = {"dtype": "u8", "shape": [size + len(behind)], "value": FILL}
        arguments = {**SCALARS, **self.named_structures(launches), **arrays}
        filled = {name: one.given for name, one in variables.items() if one.given is not None}
        ptx = self.program(parameters, offsets, parameters.index(out), size, variables.values())
        wrong = [
            _workload(self.replaced(launches, place, argument), arguments, filled)
            for place, one in enumerate(parameters)
            for argument in one.wrong
        ]
        wrong += [
            _workload(launches, arguments, filled | {name: one.wrong})
            for name, one in variables.items()
        ]
        return Signature(ptx, _workload(launches, arguments, filled), expected, wrong)

    def replaced(self, launches: list[dict], place: int, argument: Any) -> list[dict]:
        """The launches, one of which gives another argument."""
        chosen = self.draw.randrange(len(launches))
        given = list(launches[chosen]["arguments"])
        given[place] = argument
        other = launches[chosen] | {"arguments": given}
        return [*launches[:chosen], other, *launches[chosen + 1 :]]

    def named_structures(self, launches: list[dict]) -> dict[str, Any]:
        """Structures and nulls that stand among the workload's arguments instead."""
        named: dict[str, Any] = {}
        for launched in launches:
            for k, argument in enumerate(launched["arguments"]):
                if (argument is None or isinstance(argument, dict)) and self.draw.random() < 0.4:
                    name = f"named{len(named)}"
                    named[name], launched["arguments"][k] = argument, name
        return named

    # Parameters

    def parameter(self) -> Parameter:
        kind = self.draw.random()
        if kind < 0.35:
            return self.structure_parameter()
        return self.pointer_parameter() if kind < 0.55 else self.scalar_parameter()

    def scalar_parameter(self) -> Parameter:
        letter = self.draw.choice("usbf")
        bits = self.draw.choice((32, 64) if letter == "f" else (8, 16, 32, 64))
        type = f"{letter}{bits}"
        wanted = {"u": "b", "b": "b", "s": "i", "f": "f"}[letter] + str(bits)
        wrong: list[Any] = [{"struct": [{f"u{bits}": 1}]}, [1, 2]]
        if letter == "f":
            wrong += ["x", None, "y + 1"] + [1e300] * (bits == 32)
        else:
            wrong += [1 << bits, -(1 << (bits - 1)) - 1, 2.5, "half", "n / 2", 10**30]
            wrong += ["x", None] * (bits < 64) + ["huge"] * (bits < 64) + ["big"] * (bits < 32)
            wrong += [1 << (bits - 1)] * (letter == "s")
        size = bits // 8
        return Parameter(f".param .{type} {{name}}", size, size, lambda: self.number(wanted), wrong)

    def pointer_parameter(self) -> Parameter:
        is_declared = self.draw.random() < 0.5
        hint = self.draw.choice((".ptr .global .align 4 ", ".ptr .align 1 ")) if is_declared else ""
        wrong: list[Any] = ["x + 41", "x - 1", "w + n", "nobody", "y + half", {"struct": []}]
        wrong += [5, "n"] if is_declared else [1 << 64, 0.5, "half"]
        return Parameter(f".param .u64 {hint}{{name}}", 8, 8, self.pointer, wrong)

    def structure_parameter(self) -> Parameter:
        shape = self.shape(2)
        made = _c_structure(shape)
        size, alignment = ctypes.sizeof(made), ctypes.alignment(made)
        wrong: list[Any] = [7, "x", None, {"struct": [{"u8": [0] * (size + 1)}]}]
        wrong += [{"struct": [{"u8": [0] * (size - 1)}]}] * (size > 1)
        wrong += [{"struct": [{"u64": [0] * (size // 8)}]}] * (size % 8 == 0 and alignment < 8)
        wrong += [{"struct": [{"i8": [128] + [0] * (size - 1)}]}]
        text = f".param .align {alignment} .b8 {{name}}[{size}]"
        return Parameter(text, size, alignment, lambda: self.structure(shape), wrong)

    # Variables

    def variable(self, name: str) -> Variable:
        """A variable of so many elements, some of which the file and an argument give values."""
        draw = self.draw
        dtype, space = (
            draw.choice(("u8", "u16", "u32", "u64", "f32")),
            draw.choice(("const", "global")),
        )
        width, count = int(dtype[1:]) // 8, draw.randint(1, 5)
        symbol = draw.choice(
            (name, f"_ZN2ns{len(name)}{name}E", f"_ZN2ns4deepIfE{len(name)}{name}E")
        )
        # nvcc declares an array of any type by its bytes.
        in_bytes = draw.random() < 0.5
        first = np.array(
            [draw.randint(1, 9) for _ in range(draw.randint(0, count))], f"<{dtype[0]}{width}"
        )
        listed = first.tobytes() if in_bytes else first.view(f"<u{width}").tolist()
        initial = f" = {{{', '.join(map(str, listed))}}}" if len(first) else ""
        type, length = ("b8", width * count) if in_bytes else (f"b{8 * width}", count)
        declared = f".{space} .align {width} .{type} {symbol}[{length}]{initial};"
        content, given = first.tobytes().ljust(width * count, b"\0"), None
        if draw.random() < 0.8:
            values = [draw.randint(0, 200) for _ in range(draw.randint(1, count))]
            given = {"dtype": dtype, "values": values}
            filled = np.array(values, first.dtype).tobytes()
            content = filled + content[len(filled) :]
        wrong = {"dtype": dtype, "shape": [count + 1], "value": 1}
        return Variable(declared, symbol, space, width, content, given, wrong)

    # Arguments

    def number(self, type: str) -> tuple[Any, Bytes]:
        """A number of a type as written, and its bytes."""
        written, value = self.written(type)
        encoded = encoded_number(value, type)
        return written, lambda _: encoded

    def written(self, type: str) -> tuple[Any, Any]:
        draw, bits = self.draw, 1 if type == "boolean" else int(type[1:])
        if type == "boolean":
            value = draw.random() < 0.5
            return value, value
        if type[0] == "f":
            if draw.random() < 0.3:
                return draw.choice([("half", 0.5), ("half * 3", 1.5), ("n", 37.0), (3, 3.0)])
            most = {16: 60000.0, 32: 3e38, 64: 1e300}[bits]
            value = draw.choice([0.0, -1.5, 0.1, draw.uniform(-most, most), 1e-7])
            return value, value
        low = 0 if type[0] == "u" else -(1 << (bits - 1))
        high = (1 << (bits - (type[0] == "i"))) - 1
        named = [("n", 37), ("n * 2 - 3", 71), ("n // 5 + 1", 8), ("n % 7", 2)]
        named += [(f"({name})", value) for name, value in SCALARS.items() if name == "small"]
        named += [(name, value) for name, value in SCALARS.items() if isinstance(value, int)]
        fitting = [one for one in named if low <= one[1] <= high]
        if fitting and draw.random() < 0.4:
            return draw.choice(fitting)
        value = draw.choice([low, high, 0, 1, draw.randint(low, high), high // 2 + 1])
        return value, value

    def pointer(self) -> tuple[Any, Bytes]:
        draw = self.draw
        if draw.random() < 0.2:
            return None, lambda _: bytes(8)
        name = draw.choice(sorted(ARRAYS))
        dtype, count = ARRAYS[name]
        size = int(dtype[1:]) // 8
        if draw.random() < 0.4:
            return name, _address(name)
        moved = draw.randint(0, count)
        forms = [f"{name} + {moved}", f"{name} + {moved + 37} - n", f"{name}+n*2 - {74 - moved}"]
        return draw.choice(forms), _address(name, moved * size)

    def shape(self, depth: int) -> tuple[int, list]:
        """(alignment asked for or 0, fields): a field is (type, extents) or a shape."""
        draw, fields = self.draw, []
        for _ in range(draw.choice((0, 1, 1, 2, 3, 4, 5))):
            if depth and draw.random() < 0.25:
                fields.append(self.shape(depth - 1))
            else:
                extents = draw.choice(([], [], [], [draw.randint(1, 4)], [2, draw.randint(1, 3)]))
                fields.append((draw.choice(sorted(_C_TYPES)), extents))
        return draw.choice((0, 0, 0, 8, 16)), fields

    def structure(self, shape: tuple[int, list]) -> tuple[Any, Bytes]:
        """A structure of a shape as written, and its bytes."""
        made, parts = _c_structure(shape), []
        written = self._fields(shape, made, 0, parts)
        size = ctypes.sizeof(made)

        def content(addresses: Addresses) -> bytes:
            space = bytearray(size)
            for offset, one in parts:
                encoded = one(addresses)
                space[offset : offset + len(encoded)] = encoded
            return bytes(space)

        return written, content

    def _fields(self, shape: tuple[int, list], made: type, at: int, parts: list) -> dict:
        alignment, fields = shape
        written = []
        for k, (type, extents) in enumerate(fields):
            offset = at + getattr(made, f"f{k}").offset
            if not isinstance(type, str):
                written.append(
                    self._fields((type, extents), _c_structure((type, extents)), offset, parts)
                )
                continue
            count = int(np.prod(extents, dtype=int))
            given = [self.pointer() if type == "ptr" else self.number(type) for _ in range(count)]
            size = ctypes.sizeof(_C_TYPES[type])
            parts += [(offset + size * j, content) for j, (_, content) in enumerate(given)]
            values = [one for one, _ in given]
            for extent in reversed(extents[1:]):
                values = [values[j : j + extent] for j in range(0, len(values), extent)]
            written.append({type: values if extents else values[0]})
        return {"struct": written} | ({"align": alignment} if alignment else {})

    # Programs

    def program(
        self,
        parameters: list[Parameter],
        offsets: list[int],
        out: int,
        end: int,
        variables: Iterable[Variable],
    ) -> str:
        """The kernel as PTX: every parameter's bytes go to where they are, from `out` on, and those
        of variables to the `end` of these."""
        heads = [p.declared.format(name=f"k_param_{k}") for k, p in enumerate(parameters)]
        body = [f"ld.param.u64 %rd1, [k_param_{out}];", "cvta.to.global.u64 %rd2, %rd1;"]
        for k, (parameter, start) in enumerate(zip(parameters, offsets, strict=True)):
            base = f"k_param_{k}"
            if self.draw.random() < 0.1:
                body.append(f"mov.b64 %rd5, {base};")
                base = "%rd5"
            at = 0
            while at < parameter.size:
                fitting = [
                    width for width in (1, 2, 4, 8)
                    if at % width == 0 and width <= parameter.alignment
                    and at + width <= parameter.size
                ]  # fmt: skip
                width = self.draw.choice(fitting)
                type, register = self.draw.choice(_MOVES[width])
                body.append(f"ld.param.{type} {register}, [{base}+{at}];")
                body.append(f"st.global.{type} [%rd2+{start + at}], {register};")
                at += width
        for one in variables:
            for at in range(len(one.content)):
                body.append(f"ld.{one.space}.u8 %r1, [{one.symbol}+{at}];")
                body.append(f"st.global.u8 [%rd2+{end + at}], %r1;")
            end += len(one.content)
        return _PROGRAM.format(
            variables="\n".join(one.declared for one in variables),
            parameters=",\n\t".join(heads),
            body="\n\t".join(body),
        )


_MOVES = {
    1: [("u8", "%r1"), ("b8", "%rs1"), ("s8", "%rs1"), ("u8", "%rd3")],
    2: [("u16", "%rs1"), ("s16", "%r1"), ("b16", "%rs1")],
    4: [("u32", "%r1"), ("s32", "%r1"), ("f32", "%f1"), ("b32", "%f1")],
    8: [("u64", "%rd3"), ("b64", "%rd3"), ("f64", "%fd1"), ("s64", "%rd3")],
}
_PROGRAM = """\
.version 9.0
.target sm_90
.address_size 64
{variables}
.visible .entry k(
	{parameters}
)
{{
	.reg .b16 %rs<2>;
	.reg .b32 %r<2>;
	.reg .f32 %f<2>;
	.reg .f64 %fd<2>;
	.reg .b64 %rd<6>;
	{body}
	ret;
}}
"""


def encoded_number(value: Any, type: str) -> bytes:
    """A number's bytes, by ctypes and numpy."""
    if type == "f16":
        return np.float16(value).tobytes()
    if type[0] == "b" and type != "boolean":
        return struct.pack("<Q", value & (1 << 64) - 1)[: int(type[1:]) // 8]
    return bytes(_C_TYPES[type](value))


def _address(name: str, moved: int = 0) -> Bytes:
    return lambda addresses: struct.pack("<Q", addresses[name] + moved)


def _space(size: int, parts: list[tuple[int, Bytes]], addresses: Addresses) -> bytes:
    space = bytearray([FILL] * size)
    for offset, one in parts:
        encoded = one(addresses)
        space[offset : offset + len(encoded)] = encoded
    return bytes(space)


def _c_structure(shape: tuple[int, list]) -> type[ctypes.Structure]:
    """A shape as ctypes has it; one without fields has, as in C++, a byte."""
    alignment, fields = shape
    members: list[tuple[str, Any]] = []
    if alignment:
        members.append(("aligner", _ALIGNERS[alignment] * 0))
    for k, (type, extents) in enumerate(fields):
        made = _C_TYPES[type] if isinstance(type, str) else _c_structure((type, extents))
        for extent in reversed(extents) if isinstance(type, str) else ():
            made = made * extent
        members.append((f"f{k}", made))
    if not fields:
        members.append(("empty", ctypes.c_uint8))
    return struct_type(members)


def struct_type(members: list[tuple[str, Any]]) -> type[ctypes.Structure]:
    """A C structure with these members."""
    return type("Made", (ctypes.Structure,), {"_fields_": members})


def _workload(launches: list[dict], arguments: dict, filled: dict) -> dict[str, Any]:
    """A workload of launches, with those of the arguments that they name."""
    text = json.dumps(launches)
    text += json.dumps([value for name, value in arguments.items() if _is_named(name, text)])
    used = {name: value for name, value in arguments.items() if _is_named(name, text)}
    return {
        "workload": "signature", "program": "kernel.ptx", "machine": "teaching_gpu",
        "arguments": used | filled, "launches": launches,
    }  # fmt: skip


def _is_named(name: str, text: str) -> bool:
    """Whether a text names an argument elsewhere than where it is given."""
    return re.search(rf"(?<!\w){name}(?!\w)(?!\": )", text) is not None
