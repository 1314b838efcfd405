"""Front end for Python kernels (`.py`): functions marked `@kernel`, parsed and never executed.

PYTHON.md beside this folder describes the language.  The way of a file:

    ast.parse -> check_module, check_statements, python_syntax.expressions, … -> tree (typed)
              -> lower_module, lower_statements, lower_values, …               -> Module
"""

from compiler.frontends import Frontend

PLUGIN = Frontend(
    "python",
    (".py",),
    "Kernels in Python: functions marked @kernel, parsed and never executed.",
    "compiler.frontends.python.frontend:read",
)
