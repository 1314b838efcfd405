"""The rules of `machines.kinds.simt.reconvergence`, jitted: the same text, with a decorator at
each function.

events = convergence.branch(groups, warp, rules, markers, …)
"""

from __future__ import annotations

import inspect

from machines.kinds.simt import reconvergence
from sim.cores.jit import jitted

TEXT = inspect.getsource(reconvergence).replace("\ndef ", "\n@jitted\ndef ")
_NAMES = {"__name__": __name__, "jitted": jitted}
exec(compile(TEXT, reconvergence.__file__, "exec"), _NAMES)
globals().update({name: value for name, value in _NAMES.items() if not name.startswith("__")})
