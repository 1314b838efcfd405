"""Reads types, constants and operands: what instructions and global variables are written with.

`i32 5`, `ptr @table`, `[2 x i8] c"a\\00"`, `ptr getelementptr inbounds (i8, ptr @table, i64 4)`
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping

from compiler.frontends.llvm.reading.lexer import Cursor, Unreadable, unescape
from compiler.frontends.llvm.reading.tree import (
    Bytes,
    Elements,
    Global,
    Local,
    Operand,
    Statement,
    Zero,
)
from compiler.frontends.llvm.reading.types import (
    SCALARS,
    WIDEST,
    Array,
    Integer,
    LlvmType,
    Structure,
    Unsupported,
    UnsupportedType,
    Vector,
)
from machines.types import I1, Type

VOID = Unsupported("void")
SPLAT = "splat"
"""`splat (i32 65)`: a vector all of whose elements are equal."""
OPAQUE = Unsupported("opaque structure")
_TYPE_WORDS = re.compile(
    r"i\d+|ptr|void|half|bfloat|float|double|fp128|x86_fp80|ppc_fp128|x86_amx|metadata|token|label"
)
FLAGS = frozenset((
    "nsw", "nuw", "exact", "disjoint", "nneg", "samesign", "inbounds", "nusw",
    "fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc",
))  # fmt: skip
"""Promises that an operation never does what C leaves undefined; what it does then is as good as
anything else, so they are read over.  So is the leave to reassociate."""


class Terms(Cursor):
    """A cursor that knows the module's named types, as text."""

    def __init__(self, line: str, named: Mapping[str, str]):
        super().__init__(line)
        self.named = named
        self.copied: LlvmType | None = None

    # Types

    def at_type(self) -> bool:
        token = self.next
        if token.kind == "word":
            return _TYPE_WORDS.fullmatch(token.text) is not None
        return token.kind == "local" or (token.kind == "mark" and token.text in "[{<")

    def type(self) -> LlvmType:
        token = self.take()
        if token.kind == "word":
            return self._word_type(token.text)
        if token.kind == "local" and token.text in self.named:
            text = self.named[token.text]
            return OPAQUE if text == "opaque" else Terms(text, self.named).type()
        if token.text == "[":
            count = self.number()
            self.expect("x")
            element = self.type()
            self.expect("]")
            return Array(count, element)
        if token.text == "{":
            return Structure(self._fields())
        if token.text == "<" and self.accept("{"):
            fields = self._fields()
            self.expect(">")
            return Structure(fields, packed=True)
        if token.text == "<":
            return self._vector()
        raise Unreadable(f"a type expected, found {token}")

    def _word_type(self, word: str) -> LlvmType:
        if word == "ptr" and self.accept_word("addrspace"):
            return Unsupported(f"ptr addrspace{self.skip_brackets()}")
        if word == "void":
            return VOID
        if not _TYPE_WORDS.fullmatch(word):
            raise Unreadable(f"a type expected, found '{word}'")
        if re.fullmatch(r"i\d+", word) and word not in SCALARS:
            bits = int(word[1:])
            return Integer(bits) if 1 < bits <= WIDEST else Unsupported(word)
        return SCALARS.get(word, Unsupported(word))

    def _fields(self) -> tuple[LlvmType, ...]:
        fields = []
        while not self.accept("}"):
            fields.append(self.type())
            self.accept(",")
        return tuple(fields)

    def _vector(self) -> LlvmType:
        """`<4 x i32>`; the bracket has been taken."""
        words = []
        if self.next.kind == "number":
            words += [self.take().text, self.take().text]
            element = self.type()
            if isinstance(element, Type | Integer) and self.accept(">"):
                return Vector(int(words[0]), element)
            words.append(str(element))
        while not self.accept(">"):
            words.append(str(self.type()) if self.at_type() else self.take().text)
        return Unsupported(f"<{' '.join(words)}>")

    # Attributes

    def words(self) -> tuple[frozenset[str], int]:
        """The words up to a type, a value or a name, and the alignment that is among them; the type
        that `byval` names is in `copied` then."""
        found, alignment, self.copied = set(), 1, None
        while self.next.kind in ("word", "text", "group") and not self.at_type():
            if self._at_value():
                break
            word = self.take().text
            found.add(word)
            if word == "align" and self.next.kind == "number":
                alignment = self.number()
            elif word == "byval" and self.accept("("):
                self.copied = self.type()
                self.expect(")")
            elif word == "cc" and self.next.kind == "number":
                self.take()
            elif self.next.text == "(" and self.next.kind == "mark":
                self.skip_brackets()
            elif self.accept("="):
                self.take()
        return frozenset(found), alignment

    def _at_value(self) -> bool:
        word = self.next.text
        return self.next.kind == "word" and (
            word in _CONSTANTS or word in _EXPRESSIONS or word == SPLAT
        )

    def flags(self) -> None:
        while self.accept_word(*FLAGS):
            pass
        if self.accept_word("inrange"):
            self.skip_brackets()
            self.flags()

    # Values

    def operand(self) -> Operand:
        """A type, what is said of it, and a value."""
        type = self.type()
        _, alignment = self.words()
        return Operand(type, self.value(type), alignment)

    def constant(self, type: LlvmType) -> Operand:
        """The value of a type that stands elsewhere."""
        return Operand(type, self.value(type))

    def value(self, type: LlvmType):
        token = self.take()
        if token.kind == "local":
            return Local(token.text)
        if token.kind == "global":
            return Global(token.text)
        if token.kind == "number":
            return _number(token.text, type)
        if token.kind == "bytes":
            return Bytes(unescape(token.text[2:-1]))
        if token.kind == "word" and token.text in _CONSTANTS:
            return _CONSTANTS[token.text]
        if token.kind == "word" and token.text in _EXPRESSIONS:
            return self._expression(token.text)
        if token.text == "[" or token.text == "{":
            return self._elements("]" if token.text == "[" else "}")
        if token.text == "<" and self.accept("{"):
            elements = self._elements("}")
            self.expect(">")
            return elements
        if token.text == "<":
            return self._elements(">")
        if token.kind == "word" and token.text == SPLAT and isinstance(type, Vector):
            self.expect("(")
            element = self.operand()
            self.expect(")")
            return Elements((element,) * type.count)
        raise Unreadable(f"the constant {token} is not read")

    def _elements(self, closing: str) -> Elements:
        values = []
        while not self.accept(closing):
            values.append(self.operand())
            self.accept(",")
        return Elements(tuple(values))

    def _expression(self, opcode: str) -> Statement:
        """`trunc (i64 … to i32)`, `getelementptr inbounds (i8, ptr @x, i64 4)`."""
        self.flags()
        self.expect("(")
        pointee = None
        if opcode == "getelementptr":
            pointee = self.type()
            self.expect(",")
        operands = [self.operand()]
        while self.accept(","):
            operands.append(self.operand())
        vectors = (operand.type for operand in operands if isinstance(operand.type, Vector))
        type = self.type() if self.accept_word("to") else next(vectors, operands[0].type)
        self.expect(")")
        return Statement(
            opcode, type, tuple(operands), pointee=pointee, text=f"constant expression '{opcode}'"
        )


_CONSTANTS = {
    "true": 1, "false": 0, "null": Zero(), "undef": Zero(), "poison": Zero(),
    "zeroinitializer": Zero(), "none": Zero(),
}  # fmt: skip
_EXPRESSIONS = frozenset(
    ("getelementptr", "ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "trunc", "add", "sub", "xor")
)


def _number(text: str, type: LlvmType) -> int | float:
    """Raises UnsupportedType of a half, a long double: LLVM writes these in ways of their own."""
    if isinstance(type, Unsupported):
        raise UnsupportedType(type)
    if isinstance(type, Type) and type.is_float:
        if text.startswith("0x"):
            return struct.unpack("<d", int(text, 16).to_bytes(8, "little"))[0]
        return float(text)
    if text.startswith("0x"):
        raise Unreadable(f"the constant '{text}' is not read")
    return int(text) & 1 if type is I1 else int(text)
