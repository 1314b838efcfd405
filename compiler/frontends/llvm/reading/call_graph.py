"""Who calls whom in a printed module, by the text of its functions' bodies.

call i32 @f(i32 %a)      f is called
call i32 %p(i32 %a)      every function may be whose address stands somewhere
store ptr @f, ptr %q     the address of f
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from compiler.frontends.llvm.reading.lexer import bare
from compiler.frontends.llvm.reading.tree import LlvmFunction

_NAME = r'("[^"]*"|[-\w$.]+)'
_CALLED = re.compile(rf"\bcall\b[^@%]*@{_NAME}\(")
_THROUGH = re.compile(r"\bcall\b[^@%]*%[^(]*\(")
_MENTIONED = re.compile(rf"@{_NAME}(?!\()")
_DYNAMIC = re.compile(r"= alloca .*, i\d+ %")


class CallGraph:
    """What the functions of a module call; `pointed` are those whose addresses are taken."""

    def __init__(self, functions: Mapping[str, LlvmFunction], globals_: Iterable[str]):
        lines = [line for function in functions.values() for line in function.lines]
        mentioned = {
            bare(name) for text in (*lines, *globals_) for name in _MENTIONED.findall(text)
        }
        self.pointed = mentioned & set(functions)
        self.callees = {name: self._callees(function) for name, function in functions.items()}

    def _callees(self, function: LlvmFunction) -> set[str]:
        found: set[str] = set()
        for line in function.lines:
            if "call" in line:
                found.update(map(bare, _CALLED.findall(line)))
                found |= self.pointed if _THROUGH.search(line) else set()
        return found

    def reached(self, name: str) -> set[str]:
        """What a function may call, and what that may call, and so on."""
        found: set[str] = set()
        waiting = [name]
        while waiting:
            for callee in self.callees.get(waiting.pop(), ()):
                if callee not in found:
                    found.add(callee)
                    waiting.append(callee)
        return found


def has_dynamic_arrays(function: LlvmFunction) -> bool:
    """Whether it has local arrays whose size is known only while it runs."""
    return any(_DYNAMIC.search(line) for line in function.lines)
