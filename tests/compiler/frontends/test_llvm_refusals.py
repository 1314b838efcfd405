"""What the LLVM front end does not take: one error, with the construct, its line and a hint."""

from __future__ import annotations

import random
import re

import pytest

from compiler import compile
from compiler.frontends.llvm import PLUGIN
from compiler.verify.ir import findings_of
from machines.description.load import Machine
from machines.diagnostics import InputError
from tests.campaign.seeds import cut
from tests.compiler.frontends.llvm_native import PROGRAMS
from tests.compiler.frontends.llvm_random import function_of, random_rows
from tests.compiler.frontends.llvm_random_vectors import program as vector_program

HEAD = "declare i32 @getenv(ptr)\n@out = external global i32\n@here = global ptr @getenv\n"
JUMPS = (
    "declare i32 @_setjmp(ptr)\ndeclare void @longjmp(ptr, i32) noreturn\n"
    "declare void @exit(i32) #9\nattributes #9 = { noreturn }\n"
)


def refused(text: str) -> InputError:
    """The error of the only function of a text."""
    with pytest.raises(InputError) as caught:
        PLUGIN.read(text, "broken.ll")
    assert len(caught.value.diagnostics) == 1
    return caught.value


def function(*lines: str, head: str = "define i32 @f(i32 %a, ptr %p)", above: str = "") -> str:
    body = "\n".join(f"  {line}" for line in lines)
    return f"{above}{head} {{\n{body}\n}}\n"


@pytest.mark.parametrize(
    "line, message, hint",
    [
        (
            "%v = load <4 x i129>, ptr %p",
            "the type <4 x i129> is not supported",
            "elements of vectors",
        ),
        ("%v = load i129, ptr %p", "the type i129 is not supported", "at most 128 bits"),
        ("%v = load x86_fp80, ptr %p", "the type x86_fp80 is not supported", "no long double"),
        ("%v = load half, ptr %p", "the type half is not supported", "float and double"),
        ("%v = load half, ptr null", "the type half is not supported", "float and double"),
        ("store half 0xH3C00, ptr %p", "the type half is not supported", "float and double"),
        ("%v = call i32 @getenv(ptr %p)", "'getenv' is called", "llvm-link"),
        ("%v = call i32 @_setjmp(ptr %p)", "setjmp and longjmp are not supported", "test it"),
        ("call void @longjmp(ptr %p, i32 1)", "setjmp and longjmp are not", "test it"),
        ("call void @exit(i32 1)", "a program ends where its entry returns", "return from"),
        ('call void asm sideeffect "nop", ""()', "inline assembly", "in C"),
        ("%v = va_arg ptr %p, i32", "'va_arg' is not supported", "--target"),
        ("%v = load i32, ptr @out", "'out' is used, which this file does not define", "llvm-link"),
        ("store ptr @getenv, ptr %p", "the address of the function 'getenv'", "llvm-link"),
        ("%v = load ptr, ptr @here", "the address of the function 'getenv'", "llvm-link"),
    ],
)
def test_constructs(line: str, message: str, hint: str):
    error = refused(function(line, "ret i32 %a", above=HEAD) + JUMPS)
    [finding] = error.diagnostics
    assert message in finding.message
    assert (finding.location.file, finding.location.line) == ("broken.ll", 5)
    assert finding.location.column == 3
    assert finding.source_line.strip() == line
    assert hint in finding.hint


def test_an_intrinsic_that_is_not_known():
    text = function(
        "%v = call double @llvm.canonicalize.f64(double 1.0)", "ret i32 %a",
        above="declare double @llvm.canonicalize.f64(double)\n",
    )  # fmt: skip
    assert "'llvm.canonicalize.f64' is not supported" in str(refused(text))


def test_exceptions():
    text = function(
        "%v = invoke i32 @g() to label %next unwind label %pad",
        "next:", "ret i32 %v", "pad:", "%l = landingpad i32 cleanup", "ret i32 0",
        head="define i32 @f() personality ptr @g", above="declare i32 @g()\n",
    )  # fmt: skip
    assert "compile with -fno-exceptions" in str(refused(text))


def test_a_result_that_is_too_large():
    text = "define [80 x i64] @f() {\n  unreachable\n}\n"
    assert "give it through a pointer" in str(refused(text))


def test_calls_that_do_not_fit():
    for call, what in (
        ("%v = call i32 @g(i32 %a)", "other arguments than it takes"),
        ("%v = call i32 @g()", "takes 1 arguments, and is called with 0"),
        ("%v = call i64 @g(ptr %p)", "another result than it gives"),
    ):
        text = function(call, "ret i32 %a") + function(
            "%v = call i32 @g(ptr %p)", "ret i32 %v", head="define i32 @g(ptr %p)"
        )
        assert what in str(PLUGIN.read(text, "file.ll").refused["f"])


METADATA = (PROGRAMS / "crc32.ll").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("local_unnamed_addr #0 !dbg !9", "local_unnamed_addr #0 !dbg !0"),
     ("flags = !{!2,", "flags = !{!22,"), ('name: "c", scope: !49', 'name: "c", scope: !21'),
     ("scope: !41, inlinedAt: !55", "scope: !41, inlinedAt: !5")],
)  # fmt: skip
def test_a_reference_that_ends_llvm(right: str, wrong: str):
    """LLVM's process ends over each of these; one message, and the next file is read."""
    assert right in METADATA
    with pytest.raises(
        InputError, match=r"broken\.ll: LLVM does not take this: it gave up: Assertion"
    ):
        PLUGIN.read(METADATA.replace(right, wrong, 1), "broken.ll")


def test_a_call_with_other_arguments_than_its_function_has():
    text = "define i32 @f(i32 %a) {\n  %b = call i32 @f(i32 %a, i32 %a)\n  ret i32 %b\n}\n"
    assert "'f' takes 1 arguments, and is called with 2" in str(refused(text))


def test_what_llvm_itself_refuses():
    error = refused("define i32 @f(i32 %a) {\n  %b = add i32 %a, 1.5\n  ret i32 %b\n}\n")
    [finding] = error.diagnostics
    assert "LLVM does not take this: " in finding.message
    assert (finding.location.line, finding.location.column) == (2, 20)
    assert "clang 16 to 22" in finding.hint


@pytest.mark.parametrize(
    "constant",
    ["zext (i1 icmp eq (ptr @g, ptr null) to i32)", "select (i1 true, i32 1, i32 2)",
     "or (i32 ptrtoint (ptr @g to i32), i32 1)",
     "ptrtoint (ptr getelementptr inbounds (i32, ptr inrange @g, i64 1) to i32)"],
)  # fmt: skip
def test_constant_expressions_that_llvm_no_longer_has(constant: str):
    error = refused(f"@g = global i32 0\ndefine i32 @f() {{\n  ret i32 {constant}\n}}\n")
    assert "bitcode" in error.diagnostics[0].hint and error.diagnostics[0].location.line == 3


def test_a_module_that_the_verifier_refuses():
    text = function("%b = add i32 %c, 1", "%c = add i32 %a, 1", "ret i32 %b")
    assert "Instruction does not dominate all uses" in str(refused(text))


@pytest.mark.parametrize("layout", ["E-i64:64", "e-p:32:32-i64:64", "e-m:e"])
def test_other_layouts(layout: str):
    text = f'target datalayout = "{layout}"\n' + function("ret i32 0")
    assert "--target=x86_64-linux-gnu" in str(refused(text))


def test_code_that_runs_before_the_program():
    text = (
        "@llvm.global_ctors = appending global [1 x {i32, ptr, ptr}] "
        "[{i32, ptr, ptr} {i32 1, ptr @g, ptr null}]\n"
        "define void @g() {\n  ret void\n}\n"
    )
    assert "runs before the program" in str(refused(text))


def test_no_bitcode():
    with pytest.raises(InputError, match=r"broken\.bc: LLVM does not take this: Invalid bitcode"):
        PLUGIN.read(b"nothing", "broken.bc")


def test_only_the_function_that_runs_matters(itanium2: Machine):
    text = function("%v = load i129, ptr %p", "ret i32 %a") + function(
        "ret i32 %a", head="define i32 @g(i32 %a)"
    )
    assert compile("file.ll", machine=itanium2, entry="g", source=text).entry == "g"
    with pytest.raises(InputError, match="i129"):
        compile("file.ll", machine=itanium2, entry="f", source=text)
    with pytest.raises(InputError, match="has no function 'h'"):
        compile("file.ll", machine=itanium2, entry="h", source=text)


def test_a_caller_of_what_cannot_be_had_cannot_be_had():
    """The caller of a function that calls itself, which is not inlined; who takes its address."""
    text = function(
        "%h = alloca i129", "%b = sub i32 %a, 1", "%v = call i32 @f(i32 %b, ptr %h)",
        "%w = call i32 @f(i32 %v, ptr %p)", "ret i32 %w",
    ) + function(
        "%v = call i32 @f(i32 %a, ptr null)", "ret i32 %v", head="define i32 @g(i32 %a)"
    ) + function("ret i32 7", head="define i32 @h()") + function(
        "store ptr @f, ptr %p", "ret i32 0", head="define i32 @k(ptr %p)"
    )  # fmt: skip
    module = PLUGIN.read(text, "file.ll")
    assert list(module.functions) == ["h"]
    assert "file.ll:2:3: error: the type i129 is not supported" in str(module.refused["f"])
    assert module.refused["g"] is module.refused["k"] is module.refused["f"]


WORDS = ("i128", "splat (i32 3)", "<8 x i1>", "atomic", "seq_cst", "half",
         "i32", "i64", "i8", "i1", "double", "ptr", "volatile", "i129", "<4 x i32>", "poison", "0",
         "null", "255", "sub", "zext", "[4 x i8]", "{i32, i8}")  # fmt: skip


@pytest.mark.parametrize("seeds", cut(20, 120))
def test_broken_files_are_errors_and_nothing_worse(seeds: range):
    """A word or two of a committed file changed, missing, or elsewhere in its line."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(PROGRAMS.glob("*.ll"))]
    texts += [vector_program(seed) for seed in range(6)]
    texts += [function_of(random_rows(seed, 25), (7, 33, 100)) for seed in range(3)]
    for seed in seeds:
        draw = random.Random(seed)
        lines = draw.choice(texts).splitlines()
        for _ in range(draw.randrange(1, 3)):
            number = draw.randrange(len(lines))
            words = re.findall(r"\s+|[%@!]?[\w.$]+|.", lines[number]) or [""]
            place, other = draw.randrange(len(words)), draw.randrange(len(words))
            change = draw.choice(("", draw.choice(WORDS), words[other]))
            words[place], words[other] = change, words[place] if change else words[other]
            lines[number] = "".join(words)
        try:
            module = PLUGIN.read("\n".join(lines), "broken.ll")
        except InputError as error:
            assert "broken.ll" in str(error)
        else:
            assert findings_of(module) == []
