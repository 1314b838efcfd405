"""DU and UD chains by the classic fixpoint: the reference that `compiler.analyses.chains` meets.

    in(b)  = union of out(p) over b's predecessors p; the parameters at the entry
    out(b) = gen(b) | in(b) - kill(b)

iterated over the blocks in reverse post-order until nothing changes, then one walk through every
block (Aho, Lam, Sethi, Ullman, *Compilers*, 2006, section 9.2.4).  Sets are bit vectors, held in
integers of 63 bits.  A guarded definition generates but does not
kill.
"""

from __future__ import annotations

from compiler.analyses import graphs
from compiler.analyses.cache import cached_by_version
from compiler.analyses.chains import Chains
from compiler.analyses.jitted import Kernel
from compiler.analyses.rows import Rows
from compiler.analyses.ssa.fixpoint import reaching
from compiler.analyses.ssa.occurrences import occurrences
from compiler.analyses.ssa.renaming import COMPILED_FROM
from compiler.ir.module import Function

KERNEL = Kernel("fixpoint", reaching, COMPILED_FROM, uses=(graphs,))


@cached_by_version
def reaching_definitions(function: Function) -> Chains:
    """The chains of a well-formed function in variable form.

    Raises ValueError for a function in SSA form, where a tied value passes definitions of one
    variable on to another, which is no union of sets.
    """
    numbered = occurrences(function)
    if numbered.is_ssa:
        raise ValueError(f"function '{function.name}' is in SSA form")
    defs_start, defs, uses_start, uses = KERNEL(len(numbered.instructions), *numbered.arguments)
    return Chains(numbered, Rows(defs_start, defs), Rows(uses_start, uses))
