"""How primitives are vectorized: `@vectorize(op(a…))` says what stands for a node `op(a…)` where
/a/ is written as a.  Of two rules that fit, the one for the more special class of operations wins.
"""


@vectorize(uniform(c))
def for_all_lanes(c):
    """What is the same for all lanes is a view of one value; so /x/ is an array over the lanes."""
    return replicate(c, lanes)


@vectorize(terminal(*a))
def for_every_lane(*a):
    """Any primitive is done for every lane."""
    return each(*a)


@vectorize(each(*a))
def for_every_element_of_every_lane(*a):
    """What is done for every element is done for those of all lanes in one, and cut into rows."""
    return rows(op(*flatten(a)), each.length(first(a)))
