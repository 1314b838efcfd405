"""The broken input of a seed: a kind of input, a right one of it, and what is done to it.

given = make(17)                     the same for ever
given.files, given.words             a folder and a command
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random

import numpy as np

from compiler.pass_lists import default_passes
from machines.description.load import FOLDER
from tests.campaign.broken_inputs import (
    chips,
    corpus,
    languages,
    python_source,
    requests,
    statements,
    studies,
    trees,
)  # fmt: skip
from tests.campaign.broken_inputs.corpus import LIMIT, Case
from tests.campaign.broken_inputs.expressions import expression
from tests.sim.conftest import KERNEL, WORKLOAD

MACHINES = (
    "itanium2", "epic3", "itanium", "teaching_gpu", "h200", "teaching_chip", "mlu370", "seed_chip",
)  # fmt: skip
VIEWS = ("ir", "ssa", "chains", "dependences", "markers", "passes", "asm", "dispersal", "schedule")


@dataclass(frozen=True)
class Broken:
    """What is given to simrun; `damaged` is the file that is damaged, or '--set', '--passes'."""

    seed: int
    kind: str
    files: dict[str, str | bytes]
    words: tuple[str, ...]
    damaged: str


def make(seed: int) -> Broken:
    """The input of a seed."""
    draw = Random(seed)
    kind = draw.choices(list(KINDS), weights=[weight for weight, _ in KINDS.values()])[0]
    files, words, damaged = KINDS[kind][1](draw)
    return Broken(seed, kind, files, tuple(words), damaged)


Made = tuple[dict[str, str | bytes], list[str], str]

# ---- Files of YAML ------------------------------------------------------------------------------

WORKLOAD_WORDS = [
    "n", "a", "x", "y", "data", "out", "wanted", "value", "values", "random", "range",
    "permutation", "cycle", "text", "file", "offset", "format", "shape", "dtype", "seed", "low",
    "high", "start", "step", "stride", "i8", "u8", "i16", "i32", "i64", "u64", "f32", "f64",
    "boolean", "equals", "oracle", "of", "rtol", "atol", "compare", "prefix", "return",
    "arguments", "expect", "launch", "launches", "grid", "block", "shared", "kernel", "repeat",
    "while", "most", "copy", "to", "host", "device", "stream", "limits", "cycles", "passes",
    "default", "variants", "entry",
]  # fmt: skip
MACHINE_WORDS = [
    "latency", "size", "line", "ways", "banks", "value", "source", "assumed:", "cycles", "KiB",
    "GHz", "0", "extends", "name", "kind", "epic", "simt", "ptx", "ia64", "policy", "ipdom",
    "markers", "compiled", "none", "lru",
]  # fmt: skip


def _yaml(
    text: str, draw: Random, words: list[str], times: tuple[int, ...] = (1, 1, 1, 2, 3)
) -> str:
    tree = trees.read(text)
    for _ in range(draw.choice(times)):
        trees.damage(tree, draw, words)
    return trees.write(tree)


def _workload(draw: Random) -> Made:
    case = corpus.of_a_program(draw.choice(list(corpus.KERNELS)))
    files = dict(case.files)
    files["workload.yaml"] = _yaml(files["workload.yaml"], draw, WORKLOAD_WORDS)
    return files, [*case.words, "--cycle-limit", LIMIT], "workload.yaml"


def _expression(draw: Random) -> Made:
    case = corpus.of_a_program(draw.choice(["saxpy.py", "mixed.py", "threads.py"]))
    tree = trees.read(case.files["workload.yaml"])
    names = [key for key, _ in dict(tree.pairs)["arguments"].pairs]
    text = expression(draw, names * 6 + ["b"])
    if draw.random() < 0.5:  # one that holds for the most part, whatever the expression is
        text = f"a * x + y + 0 * length(zeros(3) * length({text}))" if "a" in names else text
    found = [place for place in trees.places(tree) if _is_expression(place)]
    trees.put(draw.choice(found), trees.Scalar(text, quoted=True))
    files = {**case.files, "workload.yaml": trees.write(tree)}
    return files, [*case.words, "--cycle-limit", LIMIT], "workload.yaml"


def _is_expression(place: trees.Place) -> bool:
    holder, number = place
    return isinstance(holder, trees.Pairs) and holder.pairs[number][0] == "equals"


@cache
def _machine_tree(name: str) -> tuple[trees.Tree, ...]:
    """The file of a machine and those that it extends, without what only describes."""
    tree = trees.read((FOLDER / f"{name}.yaml").read_text())
    base = dict(tree.pairs).get("extends")
    plain = ("sources", "modelled", "left_out", "name", "extends", "kind", "title")
    tree.pairs = [pair for pair in tree.pairs if pair[0] not in plain]
    return (tree, *(_machine_tree(base.text) if isinstance(base, trees.Scalar) else ()))


def _machine_part(draw: Random, name: str) -> tuple[tuple[str, ...], trees.Tree]:
    """(path, tree) of a part or figure; each level of the file is drawn from alike, so that long
    tables do not take all."""
    tree, path = draw.choice(_machine_tree(name)), ()
    while isinstance(tree, trees.Pairs) and (not path or draw.random() < 0.9):
        inner = [pair for pair in tree.pairs if pair[0] not in ("value", "source")]
        if not inner:  # a figure with its source
            return path, dict(tree.pairs).get("value", tree)
        key, tree = draw.choice(inner)
        path = (*path, key)
    return path, tree


def _for_machine(draw: Random, machine: str) -> Case:
    """A program that this machine runs."""
    if machine in ("teaching_gpu", "h200", "a100", "v100"):
        case = (
            corpus.of_a_program("threads.py")
            if draw.random() < 0.7
            else corpus.ptx_kernel(draw.randrange(9))
        )
    elif machine in ("teaching_chip", "mlu370", "seed_chip"):
        case = corpus.of_a_chip("meet.sir" if draw.random() < 0.7 else "tasks.sir")
    else:
        case = corpus.of_a_program(draw.choice(["saxpy.py", "search.py", "add.s"]))
    return case


def _machine(draw: Random) -> Made:
    """A machine of one's own that changes parts of another, which are damaged."""
    base = draw.choice(MACHINES)
    root = trees.Pairs(
        [("extends", trees.Scalar(base)), ("name", trees.Scalar("own")),
         ("source", trees.Scalar("assumed: for a test", True))]
    )  # fmt: skip
    for _ in range(draw.choice((1, 1, 2))):
        path, tree = _machine_part(draw, base)
        if path[0] not in dict(root.pairs):
            root.pairs.append((path[0], _nested(path[1:], tree)))
    for _ in range(draw.choice((0, 1, 1, 2))):  # what stands above them, now and then
        first = 0 if draw.random() < 0.1 else 3
        part = trees.Pairs(root.pairs[first:])
        trees.damage(part, draw, MACHINE_WORDS)
        root.pairs[first:] = part.pairs
    text = trees.write(root)
    case = _for_machine(draw, base)
    files = {**case.files, "own.yaml": text}
    if draw.random() < 0.25:
        return files, ["machines", "show", "./own.yaml"], "own.yaml"
    return files, [*case.words, "--machine", "own.yaml", "--cycle-limit", LIMIT], "own.yaml"


def _nested(path: tuple[str, ...], tree: trees.Tree) -> trees.Tree:
    for key in reversed(path):
        tree = trees.Pairs([(key, tree)])
    return tree


def _set(draw: Random) -> Made:
    base = draw.choice(MACHINES)
    case = _for_machine(draw, base)
    words = [*case.words, "--machine", base, "--cycle-limit", LIMIT]
    for _ in range(draw.choice((1, 1, 2))):
        path, tree = _machine_part(draw, base)
        text = tree.text if isinstance(tree, trees.Scalar) else trees._flow(tree)
        if isinstance(tree, trees.Scalar):
            text = trees.other_scalar(text, draw, MACHINE_WORDS)
        elif draw.random() < 0.5:
            text = draw.choice([*trees.EXTREMES, "[1, 2]", "{x: 1}", "{value: 3}"])
        if draw.random() < 0.05:
            path = (*path[:-1], draw.choice([*MACHINE_WORDS, ""]))
        words += ["--set", f"{'.'.join(path)}={text}"]
    return dict(case.files), words, "--set"


def _problem(draw: Random) -> Made:
    case = draw.choice(corpus.problems())
    text = _yaml(
        case.files["problem.yaml"],
        draw,
        [
            "ops",
            "op",
            "name",
            "from",
            "to",
            "omega",
            "latency",
            "row",
            "ii",
            "stage",
            "kind",
            "adds",
            "ld8",
            "st8",
            "shr.u",
            "br.ctop",
            "fma",
            "stf8",
            "chk",
        ],
    )
    words = ["explain", "problem.yaml", "--show", draw.choice(["schedule", "bundles"])]
    if draw.random() < 0.4:
        option, values = draw.choice(
            [("--scheduler", "slack iterative"), ("--reservation", "automaton ports"),
             ("--bundler", "linear prev_state nextfit x"), ("--rules", "acyclic sound"),
             ("--format", "json")]
        )  # fmt: skip
        words += [option, draw.choice(values.split())]
    return {"problem.yaml": text}, words, "problem.yaml"


BASELINE = """workload: saxpy
machine: itanium2
vocabulary: {name: epic, version: 1}
cases:
  default:
    reason: "first"
    revision: "0a1b2c3d4e5f-dirty"
    identity:
      machine: "0a1b2c3d4e5f"
      source: "0a1b2c3d4e5f"
      passes: "0a1b2c3d4e5f"
      program: "0a1b2c3d4e5f"
      inputs: "0a1b2c3d4e5f"
      expectations: "0a1b2c3d4e5f"
      limits: "0a1b2c3d4e5f"
      model: 1
    cycles: 100
    breakdown: {issuing: 40, float: 60}
    counters: {CPU_CYCLES: 100}
"""


def _baseline(draw: Random) -> Made:
    case = corpus.of_a_program(draw.choice(["saxpy.py", "search.py", "add.s"]))
    damaged = _yaml(BASELINE, draw, ["default", "small", "cycles", "0", "-1", "wrong", "search"])
    name = f"baselines/{case.machine}.yaml"
    words = ["check", "."]
    if draw.random() < 0.3:
        words += [
            "--tolerance",
            draw.choice(["1%", "cycles=0.5%", "float=1%", "0", "1e9%", "x=1%", "=", "200%"]),
        ]
    return {**case.files, name: damaged}, words, name


def _study(draw: Random) -> Made:
    """A study that says its points, or runs some of them and may then be shown."""
    files = {"workload.yaml": studies.WORKLOAD, "saxpy.ll": corpus.KERNELS["saxpy.ll"]}
    text = _yaml(draw.choice(studies.STUDIES), draw, studies.STUDY_WORDS)
    words = ["study", "study.yaml"] + ["--dry-run"] * (draw.random() < 0.6)
    if draw.random() < 0.3:
        kinds = ["effects", "pareto", "speedup", "tornado", "series", "heatmap", "breakdown", "x"]
        words += ["--plot", f"{draw.choice(kinds)}={draw.choice(['a.svg', 'a.png', 'a.x', ''])}"]
    return {**files, "study.yaml": text}, words, "study.yaml"


# ---- What a service is asked --------------------------------------------------------------------


def _request(draw: Random) -> Made:
    """A request, or a right one of a workload that is not."""
    kind, body = requests.broken(draw.randrange(1 << 30))
    files = {"tiny.py": KERNEL, "workload.yaml": WORKLOAD}
    if draw.random() < 0.3:
        kind, asked = draw.choice(requests.REQUESTS)
        body = json.dumps({**asked, "name": "workload.yaml"}).encode()
        files["workload.yaml"] = _yaml(WORKLOAD, draw, WORKLOAD_WORDS)
    files[requests.BODY] = body
    return files, ["request", kind], requests.BODY


# ---- Programs -----------------------------------------------------------------------------------


def _program(language: languages.Language, draw_case: Callable[[Random], Case]) -> Callable:
    def make_one(draw: Random) -> Made:
        case, other = draw_case(draw), draw_case(draw)
        text = case.files[case.program]
        if language is languages.PYTHON and draw.random() < 0.8:
            damaged = python_source.damage(text, draw)
        else:
            damaged = statements.damage(text, language, draw, [other.files[other.program]])
        if draw.random() < 0.02:
            damaged = _torn(damaged, draw)
        files = {**case.files, case.program: damaged}
        return files, _command(case, draw), case.program

    return make_one


def _torn(text: str, draw: Random) -> str | bytes:
    """A text cut off, or with bytes that no text has."""
    at = draw.randrange(len(text) + 1)
    pieces = [b"", b"\0", b"\xff", "é".encode(), b"\r", "\u2028".encode(), b"\t", b"(" * 500]
    return text[:at].encode() + draw.choice(pieces) + draw.choice([b"", text[at:].encode()])


def _command(case: Case, draw: Random) -> list[str]:
    """Run it for the most part, or look into it."""
    if draw.random() < 0.75:
        limit = [] if "--cycle-limit" in case.words else ["--cycle-limit", LIMIT]
        return [*case.words, *limit]
    view = draw.choice(VIEWS)
    words = ["explain", draw.choice(["workload.yaml", case.program]), "--show", view]
    if draw.random() < 0.3:
        words += ["--format", draw.choice(["json", "dot"])]
    if view == "passes" and draw.random() < 0.5:
        words += ["--explain"]
    if view in ("asm", "passes", "dispersal", "schedule") and case.machine != "itanium2":
        words += ["--machine", case.machine]
    return words


def _ir_case(draw: Random) -> Case:
    if draw.random() < 0.7:
        return corpus.ir_program(draw.randrange(60))
    return corpus.ir_kernel(draw.randrange(30))


def _assembly_case(draw: Random) -> Case:
    if draw.random() < 0.5:
        return corpus.of_a_program("add.s")
    return draw.choice(corpus.assembly_loops())


def _python_case(draw: Random) -> Case:
    return corpus.of_a_program(
        draw.choice([name for name in corpus.KERNELS if name.endswith(".py")])
    )


def _llvm_case(draw: Random) -> Case:
    if draw.random() < 0.3:
        return corpus.of_a_program("saxpy.ll")
    return corpus.llvm_function(draw.randrange(40))


def _tiles(draw: Random) -> Made:
    """A tile program, or the library beside it."""
    case, other = (draw.choice(corpus.tile_programs()) for _ in range(2))
    has_own = '"mine.sir"' in case.files[case.program]
    name = "mine.sir" if has_own and draw.random() < 0.4 else case.program
    text = statements.damage(case.files[name], languages.TILES, draw, [other.files[name]])
    damaged = _torn(text, draw) if draw.random() < 0.02 else text
    return {**case.files, name: damaged}, _command(case, draw), name


def _tasks(draw: Random) -> Made:
    """What a host has a chip do, or the kernels for it."""
    case = corpus.of_a_chip(draw.choice(list(chips.PROGRAMS)))
    if draw.random() < 0.6:
        text = _yaml(case.files["workload.yaml"], draw, [*WORKLOAD_WORDS, *chips.TASK_WORDS])
        return {**case.files, "workload.yaml": text}, case.words, "workload.yaml"
    others = [text for name, text in chips.PROGRAMS.items() if name != case.program]
    text = statements.damage(case.files[case.program], languages.TILES, draw, others)
    return {**case.files, case.program: text}, _command(case, draw), case.program


# ---- Data, and lists of passes ------------------------------------------------------------------


def _data(draw: Random) -> Made:
    """A .npy, raw or text file that a workload reads."""
    dtype = draw.choice(
        "f4 f4 f4 f4 f4 f4 f4 f4 f4 f4 f4 f4 f4 f4 f8 i4 u1 i8 ?? >f4 c8 U3 O M8 V4".replace(
            "??", "?"
        ).split()
    )
    shape = draw.choice([*[(8,)] * 12, (2, 4), (4, 2), (0,), (), (9,), (1, 8), (1,) * 9])
    count = int(np.prod(shape))
    try:
        array = np.arange(count).astype(dtype).reshape(shape)
    except (TypeError, ValueError):
        array = np.zeros(shape, dtype)
    buffer = io.BytesIO()
    np.save(buffer, np.asfortranarray(array) if draw.random() < 0.3 else array)
    data = buffer.getvalue()
    if draw.random() < 0.5:
        data = _other_bytes(data, draw)
    name = draw.choice(["x.npy"] * 12 + ["x.bin", "x.txt", "x.npz", "x"])
    text = corpus.WORKLOADS["saxpy.py"].replace(
        "shape: [8], range: {start: 0, step: 1}", f"file: {name}"
    )
    if draw.random() < 0.2:
        more = draw.choice(
            ["shape: [8]", "offset: 3, shape: [5]", "format: numbers", "format: raw"]
        )
        text = text.replace(f"file: {name}", f"file: {name}, {more}")
    files = {"workload.yaml": text, "saxpy.py": corpus.KERNELS["saxpy.py"], name: data}
    return files, ["workload.yaml", "--cycle-limit", LIMIT], name


_HEADERS = [
    (b"(8,)", b"(9,)"), (b"(8,)", b"(-8,)"), (b"(8,)", b"(8,1)"), (b"(8,)", b"8"),
    (b"(8,)", b"(99999999999,)"), (b"(8,)", b"(2**40,)"), (b"'<f4'", b"'<f8'"),
    (b"'<f4'", b"'|O'"), (b"'<f4'", b"[('a','<f4')]"), (b"False", b"True"), (b"descr", b"desc"),
    (b"{", b"{{"), (b"shape", b"__import__('os')"),
]  # fmt: skip


def _other_bytes(data: bytes, draw: Random) -> bytes:
    """Bytes with another header, cut off, longer, or with some of them changed."""
    match draw.randrange(4):
        case 0:
            return data.replace(*draw.choice(_HEADERS))
        case 1:
            return data[: draw.randrange(len(data) + 1)]
        case 2:
            return data + bytes(draw.randrange(300))
    changed = bytearray(data)
    for _ in range(draw.choice((1, 1, 4))):
        changed[draw.randrange(len(changed))] = draw.choice([0, 1, 255, draw.randrange(256)])
    return bytes(changed)


def _passes(draw: Random) -> Made:
    case = corpus.examples(draw)
    while case.program.endswith(".s") and draw.random() < 0.9:
        case = corpus.examples(draw)
    kind = "simt" if case.machine == "teaching_gpu" else "epic"
    own = list(default_passes(kind))
    names = sorted(set(own))  # of machines of this kind: nothing says yet which other passes are
    if draw.random() < 0.7:
        chosen = [
            "default",
            *(f"-{name}" for name in draw.sample(names, draw.randrange(5))),
        ]
        if draw.random() < 0.1:
            chosen.insert(draw.randrange(len(chosen) + 1), draw.choice(names))
    else:
        chosen = own
        for _ in range(draw.choice((1, 1, 2, 4))):
            k, j = draw.randrange(len(chosen)), draw.randrange(len(chosen))
            match draw.randrange(5):
                case 0:
                    del chosen[k]
                case 1:
                    chosen.insert(k, chosen[j])
                case 2:
                    chosen[k], chosen[j] = chosen[j], chosen[k]
                case 3:
                    chosen.insert(k, draw.choice(names))
                case _:
                    chosen[k] = draw.choice([*names, "default", "-bundle", "", "x"])
    text = ",".join(chosen)
    words = [*case.words, "--passes", text]
    return (
        dict(case.files),
        [*words, *([] if "--cycle-limit" in words else ["--cycle-limit", LIMIT])],
        "--passes",
    )


KINDS: dict[str, tuple[int, Callable[[Random], Made]]] = {
    "workload": (14, _workload),
    "expression": (8, _expression),
    "machine": (8, _machine),
    "set": (14, _set),
    "problem": (8, _problem),
    "baseline": (4, _baseline),
    "study": (6, _study),
    "request": (8, _request),
    "data": (8, _data),
    "passes": (5, _passes),
    "sir": (8, _program(languages.IR, _ir_case)),
    "tiles": (10, _tiles),
    "tasks": (10, _tasks),
    "s": (8, _program(languages.ASSEMBLY, _assembly_case)),
    "py": (8, _program(languages.PYTHON, _python_case)),
    "ll": (7, _program(languages.LLVM, _llvm_case)),
    "ptx": (8, _program(languages.PTX, lambda draw: corpus.ptx_kernel(draw.randrange(1000)))),
}
"""How often each kind is drawn, and what makes one."""
