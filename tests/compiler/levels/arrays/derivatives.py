"""Forward derivatives: /x/ is the pair (value, slope)."""


@vectorize(uniform(c))
def constant(c):
    return tuple(c, 0.0)


@vectorize(add(a, b))
def sum_rule(a, b):
    return tuple(a[0] + b[0], a[1] + b[1])


@vectorize(sub(a, b))
def difference_rule(a, b):
    return tuple(a[0] - b[0], a[1] - b[1])


@vectorize(mul(a, b))
def product_rule(a, b):
    return tuple(a[0] * b[0], a[1] * b[0] + a[0] * b[1])


@vectorize(div(a, b))
def quotient_rule(a, b):
    return tuple(a[0] / b[0], (a[1] - a[0] / b[0] * b[1]) / b[0])


@vectorize(sqrt(a))
def root_rule(a):
    return tuple(sqrt(a[0]), a[1] / (sqrt(a[0]) * 2.0))
