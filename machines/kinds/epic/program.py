"""What the compiler hands to the simulator for an `epic` machine: a sequence of 16-byte bundles of
three syllables.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from machines.diagnostics import Location
from machines.instructions.ia64_absent import ABSENT_FUNCTION, UNDEFINED_FUNCTION
from machines.later import Later
from machines.layout import Memory
from machines.program import Parameter, ProgramBuffer
from machines.types import Type

np = Later("numpy")

OPERATION, GUARD, FIRST_OPERAND = 0, 1, 2
"""Columns of `BundleProgram.code`."""
COLUMNS = 8
CONTINUATION = -1
"""Operation of the third slot of an MLX bundle, which its long instruction occupies too."""
CODE_BASE = 0x4000_0000_0000_0000
"""Address of the first bundle, for the instruction caches; bundles are 16 bytes."""
BUNDLE_BYTES = 16
ADDRESS_BYTES = 8
"""Of an address that stands in a buffer."""


@dataclass(frozen=True, slots=True)
class Relation:
    """What a program declares of predicates: of 'mutex' ones at most one is true; the first of
    'imply' is true only if the second is; 'clear' forgets what is known of these, or of all."""

    kind: str
    predicates: tuple[int, ...]


@dataclass
class BundleProgram:
    """Machine code ready to run.

    operations  names of the rows used (family `ia64`); column OPERATION indexes it
    code        int64[3 * bundles, COLUMNS]: a row a syllable (index 3 * bundle + slot):
                operation, qualifying predicate (0 = p0), then the row's operands in declared order:
                register numbers, immediates, bundle index for a label.  A symbol operand holds the
                index into `symbols`
    templates   uint8[bundles]: the template code of each bundle (stops included)
    symbols     names of buffers or arguments whose addresses the code uses, resolved at launch; a
                distance in bytes may follow: 'table+16'
    buffers     buffers the program brings, in layout order
    addresses   (buffer, offset, symbol) of each address that stands in a buffer
    parameters  where arguments arrive; `result` where the result is found (register, type)
    entry       bundle index at which execution starts; it ends when it returns through b0
    locations   for each syllable the source location, or None
    labels      bundle index -> label, for listings and profiles
    relations   syllable -> what is declared of predicates from there on, for whoever checks groups
    """

    kind: str
    name: str
    operations: list[str]
    code: np.ndarray
    templates: np.ndarray
    symbols: list[str] = field(default_factory=list)
    buffers: list[ProgramBuffer] = field(default_factory=list)
    parameters: list[Parameter] = field(default_factory=list)
    result: tuple[str, Type] | None = None
    entry: int = 0
    locations: list[Location | None] = field(default_factory=list)
    labels: dict[int, str] = field(default_factory=dict)
    relations: dict[int, list[Relation]] = field(default_factory=dict)
    addresses: list[tuple[str, int, str]] = field(default_factory=list)

    def write_addresses(self, memory: Memory) -> None:
        """Write the addresses that stand in buffers, whose other contents are there already."""
        for buffer, offset, symbol in self.addresses:
            word = memory.view(buffer)[offset : offset + ADDRESS_BYTES]
            address = memory.address(symbol) % (1 << 8 * ADDRESS_BYTES)  # it may lie below 0
            word[:] = np.frombuffer(address.to_bytes(ADDRESS_BYTES, "little"), "u1")

    def fault(self, kind: str, syllable: int) -> str:
        """The kind of a fault at a syllable, with the name of the function that is not there."""
        if kind != UNDEFINED_FUNCTION:
            return kind
        name = self.labels.get(syllable // 3)
        return f"{kind} '{name}'" if name else kind

    @property
    def bundles(self) -> int:
        return len(self.templates)

    @property
    def absent_functions(self) -> list[str | None]:
        """The names of functions of other files for which a break stands."""
        breaks = [k for k, name in enumerate(self.operations) if name.startswith("break")]
        is_absent = self.code[:, FIRST_OPERAND] == ABSENT_FUNCTION
        found = np.flatnonzero(np.isin(self.code[:, OPERATION], breaks) & is_absent)
        return [self.labels.get(int(syllable) // 3) for syllable in found]

    @property
    def content_hash(self) -> str:
        """SHA-256 of what runs and of the names that its faults have; those of files and lines do
        not count."""
        digest = hashlib.sha256()
        for part in (self.code, self.templates):
            digest.update(np.ascontiguousarray(part).tobytes())
        rest = (self.kind, self.operations, self.symbols, self.parameters, self.result, self.entry)
        digest.update(repr((*rest, self.buffers)).encode())
        for more in (self.addresses, self.absent_functions):
            digest.update(repr(more).encode() if more else b"")
        return digest.hexdigest()
