"""The rules across fields of a SIMT machine, and the plugin of the kind.

A rule is a function of the description that yields what is wrong as (path of keys, message, hint).
"""

from __future__ import annotations

from machines.kinds.simt import Simt
from machines.schema import MachineKind

RULES = ()

PLUGIN = MachineKind("simt", Simt, RULES)
