"""Damaged PTX ends in findings with places or in a module that verifies, never in another error."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compiler.frontends.ptx import PLUGIN
from compiler.targets.simt.emit import emit_program
from compiler.targets.simt.verify import verify
from machines.diagnostics import InputError
from tests.compiler.frontends.ptx_runs import FOLDER, HEADER, h200, kernel

_TOKEN = re.compile(r"[\w$%.]+|\s+|.", re.DOTALL)
_SECTION = re.compile(r"^\s*\.section", re.MULTILINE)
_ENTRY = re.compile(r"^(?=\.visible \.entry|\.func)", re.MULTILINE)
_FUNCTION = re.compile(r"\.func\s*(?:\([^)]*\)\s*)?([\w$]+)")
JUNK = """{ } ( ) [ ] ; , @ ! " /* // : :: | _ - + < > = # é .reg .loc .param .v4 .align .section
.shared .entry .func call bra ret brx.idx mov.b64 setp.eq.s32 cvta.u64 0x 1e999 0f7FFFFFFF %r .local
%rs1 %rd1 %f1 %p1 %p1|%p2 99999999999999999999999 .branchtargets ld.param.b32"""


def _pieces() -> list[str]:
    """Kernels of nvcc, each with the functions that it may call."""
    found = []
    for path in sorted(FOLDER.glob("*.ptx")):
        text = _SECTION.split(path.read_text())[0]
        head, *routines = _ENTRY.split(text)
        functions: dict[str, str] = {}
        for text in (r for r in routines if r.startswith(".func")):
            name = _FUNCTION.match(text)[1]
            functions[name] = functions.get(name, "") + text
        found += [head + _called(r, functions) + r for r in routines if not r.startswith(".func")]
    return [text for text in found if len(text) < 12_000]


def _called(text: str, functions: dict[str, str]) -> str:
    """Those that a text names, and those that these name."""
    names: list[str] = []
    texts = [text]
    while texts:
        one = texts.pop()
        fresh = [name for name in functions if name in one and name not in names]
        names += fresh
        texts += [functions[name] for name in fresh]
    return "".join(functions[name] for name in functions if name in names)


PIECES = _pieces()
WORDS = sorted({word for text in PIECES for word in _TOKEN.findall(text) if not word.isspace()})


def damaged(seed: int) -> str:
    """A kernel with one to five tokens lost, doubled, exchanged or replaced."""
    draw = Random(seed)
    tokens = _TOKEN.findall(draw.choice(PIECES))
    for _ in range(draw.choice((1, 1, 2, 5))):
        k, other = draw.randrange(len(tokens)), draw.randrange(len(tokens))
        match draw.randrange(7):
            case 0:
                tokens[k] = ""
            case 1:
                tokens[k] = draw.choice(WORDS)
            case 2:
                tokens[k] += draw.choice(JUNK.split())
            case 3:
                tokens[k], tokens[other] = tokens[other], tokens[k]
            case 4:
                tokens[k : k + draw.randrange(40)] = []
            case 5:
                tokens[k:k] = tokens[k : k + draw.randrange(60)]
            case _:
                tokens[k] = tokens[k][:-1] + draw.choice("0123456789.x_$%")
        tokens = tokens or [""]
    return "".join(tokens)


def check(text: str) -> str:
    """Read a text; 'taken', 'refused' in part or whole."""
    try:
        module = PLUGIN.read(text, "damaged.ptx")
    except InputError as error:
        for finding in error.diagnostics:
            assert finding.location or "the file has no kernel" in finding.message
        return "refused"
    for function in module.functions.values():
        assert verify(function, "virtual", h200()) == []
    if module.functions:
        emit_program(list(module.functions.values()), module, h200())
    return "refused" if module.refused else "taken"


def check_seed(seed: int) -> str:
    return check(damaged(seed))


def test_damaged_kernels():
    outcomes = Counter(check_seed(seed) for seed in range(60))
    assert outcomes["taken"] > 2 and outcomes["refused"] > 20


@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
@given(st.lists(st.sampled_from([*WORDS, *JUNK.split(), "\n", " "]), max_size=30))
def test_any_words_in_a_kernel(words: list[str]):
    check(kernel(" ".join(words)))


@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(st.text(max_size=60))
def test_any_text(text: str):
    check(HEADER + text)
    check(text)
