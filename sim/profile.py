"""From what a core counted per syllable to what people look at: causes, source lines, the fault."""


def breakdown(outcome, machine):
    return {}


def line_costs(*a):
    return []


def fault_of(outcome, folder):
    return None
