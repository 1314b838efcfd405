"""The actions of rows in the machine interpreter: a row's meaning as a Python function.

shladd r1 = r2, count, r3     becomes, with the numbers and registers of a syllable bound by `make`

def action():
    r2 = gr_file[gr_names[n_r2]]
    count = n_count
    r3 = gr_file[gr_names[n_r3]]
    r1 = wrap(shift_left(r2, count) + r3)
    gr_file[gr_names[n_r1]] = r1
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from machines.instructions.ia64_control import break_fault
from machines.instructions.ia64_frame import OUTSIDE_FRAME
from machines.operations.row import Label, Operand, Operation, RegisterKind
from machines.vocabulary import floating, numbers


class Stop(Exception):
    """Raised by an action: a fault of this kind, or the end of the program (kind None)."""

    def __init__(self, kind: str | None, address: int | None = None):
        super().__init__(kind)
        self.kind = kind
        self.address = address


Action = Callable[[], int | None]
"""Does what a syllable does; a taken branch returns the bundle it goes to."""


def _indented(lines: list[str]) -> str:
    return "\n".join(f"        {line}" for line in lines)


def _implicit_read(resource: str) -> str:
    if resource == "pr":
        return "pr = state.all_predicates()"
    if resource == "qp":
        return "qp = pr_file[pr_names[n_qp]]"
    if resource == "cfm":
        return "cfm = state.names.frame.marker"
    return f"{resource.replace('.', '_')} = ar[{resource!r}]"


def _implicit_write(resource: str) -> str:
    if resource == "pr":
        return "state.set_all_predicates(pr)"
    return f"ar[{resource!r}] = {resource.replace('.', '_')}"


def _register(operand: Operand) -> str:
    """The text of a register operand: its register is looked up, as names change."""
    file, number = operand.kind.name, f"n_{operand.name}"
    return f"br_file[{number}]" if file == "br" else f"{file}_file[{file}_names[{number}]]"


def action_source(row: Operation, is_stacked: bool) -> str:
    """The Python text of a function that makes the actions of a row.

    `make(state, ip, link, n_qp, needs, *operands)` gives (action, action under a false predicate or
    None); n_qp is the number of the qualifying predicate, `needs` the stacked registers that a
    frame must have for the operands, which is looked at if `is_stacked`.
    """
    makes_frame = row.name == "alloc"  # its result is in the frame that it makes
    checks = [f"if needs > names.frame.size: raise Stop({OUTSIDE_FRAME!r})"] * is_stacked
    body, registers = [] if makes_frame else list(checks), []
    for operand in row.operands:
        if isinstance(operand.kind, RegisterKind):
            registers.append(operand)
            if operand.is_read:
                body.append(f"{operand.name} = {_register(operand)}")
        elif not (isinstance(operand.kind, Label) and operand.name == "target"):
            body.append(f"{operand.name} = n_{operand.name}")
    body += [_implicit_read(resource) for resource in row.implicit_reads if resource != "ip"]
    if row.faults_if:
        kind = "break_fault(n_imm)" if "break" in row.flags else repr(row.fault)
        body += [f"if {row.faults_if}:", f"    raise Stop({kind})"]
    body += _access_lines(row)
    if makes_frame:
        body += ["state.enter(cfm, 0)", *checks]
    body += _result_lines(row, [o for o in registers if o.is_written])
    names = "".join(f", n_{operand.name}" for operand in row.operands)
    return (
        f"def make(state, ip, link, n_qp, needs{names}):\n"
        "    gr_file, fr_file, pr_file, br_file = state.gr, state.fr, state.pr, state.br\n"
        "    names = state.names\n"
        "    gr_names, fr_names, pr_names = names.gr, names.fr, names.pr\n"
        "    ar, load, load_pair = state.ar, state.load, state.load_pair\n"
        f"    def action():\n{_indented(body or ['pass'])}\n"
        f"{_squashed_source(row)}"
        "    return action, squashed\n"
    )


def _result_lines(row: Operation, writes: list[Operand]) -> Iterator[str]:
    """Put results in their registers, then go where the row goes: to a frame, to a bundle."""
    moves = {"call": 1, "return": -1}.get(row.control, 0)
    is_direct = any(o.name == "target" for o in row.operands)
    for operand in writes:
        store = f"{_register(operand)} = {operand.name}"
        yield f"if n_{operand.name}: {store}" if operand.kind.name == "pr" else store
    for resource in row.implicit_writes:
        if resource != "cfm":
            yield _implicit_write(resource)
    if "rotates" in row.flags:
        yield "state.rotate(stage, rotate)"
    if row.control and not is_direct:
        yield "n_target = state.bundle_at(target)"
    if "cfm" in row.implicit_writes and row.name != "alloc":
        yield f"state.enter(cfm, {moves})"
    if row.control:
        yield from ("if taken:", "    return n_target")


def _squashed_source(row: Operation) -> str:
    """What happens under a false predicate: nothing but what 'unconditional' rows clear."""
    if "unconditional" not in row.flags:
        return "    squashed = None\n"
    predicates = [o for o in row.writes if o.kind.name == "pr"]
    lines = [f"if n_{operand.name}: {_register(operand)} = 0" for operand in predicates]
    return f"    def squashed():\n{_indented(lines)}\n"


def _access_lines(row: Operation) -> list[str]:
    """The meaning, with the memory access it makes before or after it."""
    meaning = row.meaning.split("\n") if row.meaning else []
    access = row.access
    if access is None or access.kind == "prefetch":
        return meaning
    address, size, pair = access.address, access.bytes, access.bytes > 8
    lines = [f"address = {address}"]
    if access.kind == "load_store":
        lines.append(f"state.memory.check(address, {size})")
    if access.kind in ("load", "load_store"):
        target = "loaded, loaded_high" if pair else "loaded"
        lines.append(f"{target} = load{'_pair' if pair else ''}(address, {size})")
    lines += meaning
    if access.kind in ("store", "load_store"):
        values = "stored, stored_high" if pair else "stored"
        lines.append(f"state.store{'_pair' if pair else ''}(address, {size}, {values})")
    return lines


@cache
def maker(row: Operation, is_stacked: bool) -> Callable:
    """The compiled `make` of a row."""
    namespace = {
        **numbers.VOCABULARY,
        **floating.VOCABULARY,
        "Stop": Stop,
        "break_fault": break_fault,
    }
    exec(compile(action_source(row, is_stacked), f"<ia64 {row.name}>", "exec"), namespace)
    return namespace["make"]
