"""Replace IR operations by machine operations; the rules are those of
`compiler.targets.simt.selection.select`."""

from compiler.machine_code.selection import selection
from compiler.targets.simt.selection.select import select_function

PLUGIN = selection("simt", select_function)
