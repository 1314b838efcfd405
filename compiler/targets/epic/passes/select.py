"""Replace IR operations by machine operations; the rules are those of
`compiler.targets.epic.select`."""

from compiler.selection import selection
from compiler.targets.epic.select import select_function

PLUGIN = selection("epic", select_function)
