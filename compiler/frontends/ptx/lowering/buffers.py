"""Variables in global and constant memory as buffers of the module.

.const .align 4 .b8 table[16] = {0, 0, 192, 63, …};   ->   table: i8[16] in constant
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.reading.lexer import Real
from compiler.frontends.ptx.reading.tree import Constant, Name, Variable
from compiler.frontends.ptx.types import WIDE, element_type
from compiler.ir.module import Buffer
from machines.diagnostics import Location
from machines.layout import MOST_BYTES

SPACES = {"global": "global", "const": "constant"}


def buffer_of(variable: Variable, location: Location, functions: Mapping[str, int]) -> Buffer:
    """The buffer of a variable; one without initial values is zero.

    functions   the addresses of the file's functions
    """
    if variable.external:
        hint = "define it in this file: nvcc without -rdc=true"
        raise unsupported(f"'{variable.name}' is defined in another file", hint, at=variable.at)
    if variable.bytes > MOST_BYTES:
        message = f"'{variable.name}' has {variable.bytes} bytes, more than {MOST_BYTES >> 30} GiB"
        raise unsupported(message, "no machine has so much memory", at=variable.at)
    count = 1 if variable.count is None else variable.count
    count *= 2 if variable.type is WIDE else 1
    data = _bytes(variable, functions).ljust(variable.bytes, b"\0") if variable.data else None
    kind = element_type(variable.type)
    return Buffer(
        variable.name,
        kind,
        count,
        SPACES[variable.space],
        data,
        location,
        alignment=variable.alignment,
    )


def _bytes(variable: Variable, functions: Mapping[str, int]) -> bytes:
    size, parts = variable.type.bytes, []
    for value in variable.data:
        if isinstance(value, Name) and value.text in functions:
            parts.append((functions[value.text] + value.addend).to_bytes(8, "little")[:size])
            continue
        if isinstance(value, Name):
            message = f"'{variable.name}' begins with the address of '{value.text}'"
            hint = "addresses are known only when a kernel is launched: set it in a kernel"
            raise unsupported(f"{message}, which is not supported", hint, at=value.at)
        parts.append(_element(variable, value, size))
    return b"".join(parts)


def _element(variable: Variable, value: Constant, size: int) -> bytes:
    number = value.value
    if isinstance(number, Real):
        if variable.type.kind == "f" and number.width != 8 * size:
            return struct.pack("<f" if size == 4 else "<d", number.value)
        return number.bits.to_bytes(number.width // 8, "little")[:size]
    if variable.type.kind == "f":
        if size == 2:
            return (number & 0xFFFF).to_bytes(2, "little")
        return struct.pack("<f" if size == 4 else "<d", number)
    if not -(1 << (8 * size - 1)) <= number < 1 << (8 * size):
        raise Refused(f"{number} does not fit in {variable.type}", at=value.at)
    return (number & (1 << 8 * size) - 1).to_bytes(size, "little")
