"""Reads a PTX file into a `Tree`; every mistake is reported and reading goes on behind it.

.version 9.0
.target sm_90
.address_size 64
.visible .entry saxpy(.param .u32 saxpy_param_0, …) { … }
"""

from __future__ import annotations

from math import prod

from compiler.frontends.ptx.findings import Findings, Refused, Source, unsupported
from compiler.frontends.ptx.lowering.parameters import calls_in
from compiler.frontends.ptx.reading.cursor import Cursor
from compiler.frontends.ptx.reading.declarations import LINKAGES, SPACES, parameters, variables
from compiler.frontends.ptx.reading.lexer import WORD, Token, tokens_of
from compiler.frontends.ptx.reading.statements import braces
from compiler.frontends.ptx.reading.tree import Name, Routine, Tree, Variable
from compiler.frontends.ptx.target import TARGET
from machines.diagnostics import nearest

_HEADERS = (".version", ".target", ".address_size")
_OTHERS = (".entry", ".func", ".file", ".section", ".pragma", ".alias")
_DIRECTIVES = (*_HEADERS, *LINKAGES, *SPACES, *_OTHERS)
_NUMBERED = {  # directives of a function that give so many numbers at least
    ".maxntid": 1,
    ".reqntid": 1,
    ".minnctapersm": 1,
    ".maxnctapersm": 1,
    ".maxnreg": 1,
    ".reqnctapercluster": 1,
    ".maxclusterrank": 1,
    ".local_maxnreg": 1,
}
_BARE = (".noreturn", ".explicitcluster", ".blocksareclusters")


def parse(findings: Findings) -> Tree:
    """The tree of a text; `findings` say what of it could not be read outside of functions."""
    cursor, tree = Cursor(tokens_of(findings)), Tree()
    if not cursor.at(".version"):
        hint = "it begins with '.version 9.0', '.target sm_90', '.address_size 64'"
        findings.add(Refused("a PTX file begins with '.version'", hint), cursor.token.at)
    while not cursor.is_at_end:
        before = cursor.index
        try:
            _directive(cursor, tree, findings)
        except Refused as refused:
            findings.add(refused, cursor.token.at)
            _go_on(cursor)
            if cursor.index == before:
                cursor.take()
            tree.broken |= cursor.names_since(before)
    if tree.aliases:
        _resolve_aliases(tree)
    return tree


def _go_on(cursor: Cursor) -> None:
    """To what may begin the next declaration of a module."""
    while not cursor.is_at_end:
        if cursor.accept(";") or cursor.at(*LINKAGES, ".entry", ".func", ".section", ".file"):
            return
        if cursor.at("{"):
            try:
                cursor.skip_braces()
            except Refused:  # it is never closed: the end of the file
                return
            return
        cursor.take()


def _directive(cursor: Cursor, tree: Tree, findings: Findings) -> None:
    if cursor.accept(";"):
        return
    token = cursor.token
    word = _behind_linkage(cursor)
    if word in _HEADERS:
        _header(cursor, tree)
    elif word in SPACES:
        _variables(cursor, tree)
    elif word in (".entry", ".func"):
        _keep(tree, _routine(cursor, findings.source))
    elif word == ".file":
        _file(cursor, tree)
    elif word == ".alias":
        _alias(cursor, tree)
    elif word == ".section":
        cursor.take()
        cursor.word("the section's name")
        cursor.skip_braces()
    elif word == ".pragma":
        cursor.skip_statement()
    elif token.kind == WORD:
        hint = nearest(token.text, _DIRECTIVES)
        message = f"unknown directive '{token.text}'"
        raise Refused(message, hint, at=token.at, length=len(token.text))
    else:
        raise cursor.unexpected("a directive")


def _behind_linkage(cursor: Cursor) -> str:
    """The first word that is no linkage."""
    index = cursor.index
    while cursor.tokens[index].text in LINKAGES:
        index += 1
    return cursor.tokens[index].text


def _header(cursor: Cursor, tree: Tree) -> None:
    """`.version 9.0`, `.target sm_90, debug`, `.address_size 64`."""
    token = cursor.take()
    if token.text == ".version":
        cursor.number("the version")
    elif token.text == ".address_size":
        size = cursor.natural("the size of addresses")
        if size != 64:
            hint = "compile with nvcc -m64"
            raise unsupported(f"addresses of {size} bits are not supported", hint, at=token.at)
    else:
        target = cursor.word("a target")
        if not TARGET.fullmatch(target.text):
            message = f"'{target.text}' is no target"
            raise Refused(message, "sm_70, sm_80, sm_90", at=target.at, length=len(target.text))
        tree.target = target
        while cursor.accept(","):
            cursor.word("an option of the target")


def _file(cursor: Cursor, tree: Tree) -> None:
    """`.file 1 "path"`, perhaps `, time, size`."""
    cursor.take()
    token = cursor.token
    number = cursor.natural("the file's number")
    if number in tree.files:
        raise Refused(f"file {number} is declared twice", at=token.at)
    tree.files[number] = cursor.string("the file's path")
    while cursor.accept(","):
        cursor.natural("a number")


def _alias(cursor: Cursor, tree: Tree) -> None:
    """`.alias other, function;`: both are declared before, the function with its body."""
    cursor.take()
    other = cursor.word("the other name")
    cursor.expect(",", "after the other name")
    function = cursor.word("the function's name")
    cursor.expect(";", "after the function's name")
    for token, has_body in ((other, False), (function, True)):
        routine = tree.routines.get(token.text)
        if routine is None or routine.is_kernel or (routine.body is not None) != has_body:
            what = "defined" if has_body else "only declared"
            message = f"'{token.text}' is no function that is {what} above"
            raise Refused(message, ".alias other, function;", at=token.at, length=len(token.text))
    tree.aliases[other.text] = Name(function.text, function.at)


def _resolve_aliases(tree: Tree) -> None:
    """Let calls of other names call the functions."""
    for routine in tree.routines.values():
        for call in calls_in(routine.body.statements if routine.body else []):
            if call.callee.text in tree.aliases:
                call.callee = Name(tree.aliases[call.callee.text].text, call.callee.at)


def _keep(tree: Tree, routine: Routine) -> None:
    known = tree.routines.get(routine.name)
    if known is not None and known.body is not None and routine.body is not None:
        raise Refused(f"'{routine.name}' is defined twice", at=routine.at, length=len(routine.name))
    if known is None or routine.body is not None:
        tree.routines[routine.name] = routine


def _variables(cursor: Cursor, tree: Tree) -> None:
    """Variables; those of types that are not had are kept as such, for who names them."""
    begin = cursor.index
    try:
        for variable in variables(cursor):
            _declare(tree, variable)
    except Refused as refused:
        if not refused.unsupported:
            raise
        cursor.index = begin
        while not cursor.at(";", "=", "{", "}") and not cursor.is_at_end:
            token = cursor.take()
            if token.kind == WORD and not token.text.startswith("."):
                tree.unusable[token.text] = refused
        _go_on(cursor)


def _declare(tree: Tree, variable: Variable) -> None:
    """A variable; one that is only declared gives way to its definition."""
    known = tree.variables.get(variable.name)
    if known is not None and not (known.external or variable.external):
        name = variable.name
        raise Refused(f"'{name}' is declared twice", at=variable.at, length=len(name))
    if known is None or known.external:
        tree.variables[variable.name] = variable


def _routine(cursor: Cursor, source: Source) -> Routine:
    while cursor.at(*LINKAGES):
        cursor.take()
    is_kernel = cursor.take().text == ".entry"
    _skip_attributes(cursor)
    results = parameters(cursor) if cursor.at("(") else []
    name = cursor.word("the function's name")
    routine = Routine(name.text, name.at, is_kernel, results, [], None, Findings(source))
    if is_kernel and results:
        raise Refused("a kernel has no result", at=name.at, length=len(name.text))
    _head(cursor, routine)
    if not cursor.accept(";"):
        routine.body = braces(cursor, routine.findings)
    routine.end = cursor.end
    return routine


def _head(cursor: Cursor, routine: Routine) -> None:
    """What stands between a function's name and its body; what is wrong there is the function's, if
    a body follows."""
    begin = cursor.index
    try:
        routine.parameters = parameters(cursor) if cursor.at("(") else []
        _performance_directives(cursor, routine)
        if not cursor.at("{", ";"):
            raise cursor.unexpected("'{' before the statements")
    except Refused as refused:
        at = cursor.token.at
        while not cursor.at("{", "}", ";", ".entry", ".func") and not cursor.is_at_end:
            cursor.take()
        routine.broken = cursor.names_since(begin)
        if not cursor.at("{"):
            raise
        routine.findings.add(refused, at)


def _skip_attributes(cursor: Cursor) -> None:
    while cursor.accept(".attribute"):
        while not cursor.accept(")") and not cursor.is_at_end:
            cursor.take()


def _performance_directives(cursor: Cursor, routine: Routine) -> None:
    while cursor.token.kind == WORD:
        token = cursor.take()
        if token.text in _NUMBERED:
            numbers = [cursor.natural(f"the number of '{token.text}'")]
            while cursor.accept(","):
                numbers.append(cursor.natural(f"a number of '{token.text}'"))
            if token.text in (".maxntid", ".reqntid"):
                _threads_of_a_block(routine, token, numbers)
            elif token.text == ".reqnctapercluster":
                _check_extents(token, numbers, "blocks")
                routine.exact_cluster = (*numbers, 1, 1)[:3]
            elif token.text == ".maxclusterrank":
                _check_extents(token, numbers, "blocks", 1)
                routine.most_cluster = numbers[0]
        elif token.text == ".explicitcluster":
            routine.wants_cluster = True
        elif token.text == ".pragma":
            cursor.string("a pragma in quotes")
            cursor.accept(";")
        elif token.text not in _BARE:
            hint = nearest(token.text, (*_NUMBERED, *_BARE, ".pragma"))
            message = f"unknown directive '{token.text}'"
            raise Refused(message, hint, at=token.at, length=len(token.text))


def _threads_of_a_block(routine: Routine, token: Token, numbers: list[int]) -> None:
    """`.maxntid 256` bounds the threads of a block, `.reqntid 16, 16` says its extents."""
    _check_extents(token, numbers, "threads")
    if token.text == ".reqntid":
        routine.exact_block = (*numbers, 1, 1)[:3]
    most = prod(numbers)
    routine.most_threads = min(most, routine.most_threads or most)


def _check_extents(token: Token, numbers: list[int], what: str, most: int = 3) -> None:
    if len(numbers) > most or 0 in numbers:
        example = {"threads": ("128", "16, 8, 1"), "blocks": ("2", "2, 2, 1")}[what]
        hint = " or ".join(f"{token.text} {one}" for one in example[: most - 1 or 1])
        count = "one to three numbers" if most == 3 else "one number"
        message = f"'{token.text}' takes {count} of {what}, none of them 0"
        raise Refused(message, hint, at=token.at, length=len(token.text))
