"""What new nodes are rewritten to: `@rewrite(pattern, where=…)` and the term that replaces it.

Rules of scalar operations hold lane by lane too, where a literal is replicated.  The first that
matches, in the order of this page, is taken.
"""


@rewrite(x * 1)
def times_one(x):
    """On all types: it keeps every NaN, as NaNs are canonical."""
    return x


@rewrite(x - 0.0, where=floating(x))
def minus_zero(x):
    """Of floats: -0.0 - 0.0 is -0.0."""
    return x


@rewrite(x + -0.0, where=floating(x))
def plus_negative_zero(x):
    """Of floats: -0.0 + -0.0 is -0.0, while -0.0 + 0.0 is 0.0."""
    return x


@rewrite(x - 0, where=integer(x))
def minus_nothing(x):
    return x


@rewrite(x + 0, where=integer(x))
def plus_nothing(x):
    return x


@rewrite(x - x, where=integer(x) and total(x))
def minus_itself(x):
    """Not of floats: infinity - infinity is NaN."""
    return 0


@rewrite(x * 0, where=integer(x) and total(x))
def times_nothing(x):
    return 0


@rewrite(a * b + c, where=allowed(contract) and floating(a))
def contracted(a, b, c):
    """Rounded once instead of twice: only where that is allowed."""
    return fma(a, b, c)


@rewrite(item(tuple(*a)), where=total(*a))
def part_of_tuple(*a):
    return part(a)


@rewrite(each.item(each.tuple(*a)), where=total(*a))
def parts_of_tuples(*a):
    return part(a)


@rewrite(each.index(replicate(xs, n), i))
def captured_array(xs, n, i):
    """An array that all lanes share is indexed, and never copied."""
    return gather(xs, i)


@rewrite(each(*replicate(a, n)), where=total(inner(*a)))
def uniform_work(a, n):
    """Work that is the same for all lanes is done once; where it may fault it stays inside, as with
    no lane nothing may fault."""
    return replicate(inner(*a), n)


@rewrite(gather(xs, iota(length(xs))))
def gather_of_all(xs):
    return xs


@rewrite(flatten(r := rows(v, n)), where=total(r))
def flatten_of_rows(v, n):
    return v


@rewrite(flatten(r := each.replicate(v, n)), where=total(r))
def flatten_of_replicated(v, n):
    return spread(v, n)


@rewrite(each.length(r := each.replicate(v, n)), where=total(r))
def lengths_of_replicated(v, n):
    return n


@rewrite(each.length(r := rows(v, n)), where=total(r))
def lengths_of_rows(v, n):
    return n


@rewrite(length(e := each(*a)), where=total(e))
def length_of_each(*a):
    return length(first(a))


@rewrite(length(m := map(f, xs)), where=total(m))
def length_of_map(f, xs):
    return length(xs)


@rewrite(length(r := replicate(v, n)), where=total(r))
def length_of_replicated(v, n):
    return n


@rewrite(map(f, map(g, xs)), where=cheap(g))
def map_of_map(f, g, xs):
    """If g costs little it does not matter who else wants its results."""
    return map(compose(f, g), xs)


@rewrite(reduce.add(start, (r := replicate(v, n))), where=integer(v) and total(r))
def sum_of_replicated(start, v, n):
    """In the values' type, wrapping."""
    return start + v * like(n, v)
