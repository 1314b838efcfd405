"""What kernels and functions in Python have in common: types and trees of values, names, how an
expression is checked, and the IR that its arithmetic becomes.

    parsing, errors, unsupported       from a file to Python's own tree; findings, and their hints
    scalars, tree, conversions, fold   types; values with types; how one becomes another
    scope, expressions, calls, threads what names mean; how expressions get values
    arithmetic                         the IR of operations

Statements, and what a file is made of, are each language's own: kernels are
`compiler/frontends/python`, functions those of the level that has their mark.
"""
