"""Replace IR operations by machine operations; the rules are those of
`compiler.targets.epic.selection.select`."""

from compiler.machine_code.selection import selection
from compiler.targets.epic.selection.select import select_function

PLUGIN = selection("epic", select_function)
