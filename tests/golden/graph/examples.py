"""The worked examples of vectorization by staged evaluation."""

from compiler.kernel import boolean, f32, filter, function, i32, i64, scan, scatter


@function
def P(a: f32, b: f32, c: f32) -> f32:  # noqa: N802  (as the figure names it)
    """Figure 6 of the method."""
    return a + b * c


@function
def mean(arr: f32[:]) -> f32:
    """Figure 5 of the method."""
    return sum(arr) / f32(len(arr))


@function
def f(t: f32) -> f32:
    return t * t


@function
def calls(x: f32) -> f32:
    """A lambda: /f/ is built once and used twice."""
    return f(x) + f(x + 1)


@function
def branch(p: boolean, x: i32) -> i32:
    """Both arms are cheap and cannot fault."""
    return x + 1 if p else x - 1


@function
def guarded(x: i32, y: i32) -> i32:
    """The division is for lanes that take the arm."""
    return x // y if y != 0 else 0


@function
def spmv(rows: tuple[i32, f32][:][:], x: f32[:]) -> f32[:]:
    """A sparse matrix times a vector."""
    return [sum([v * x[j] for j, v in row]) for row in rows]


@function
def compact(xs: i64[:], ys: i64[:], k: i64) -> i64[:]:
    """map, zip, filter, scan and scatter of each lane's own arrays."""
    some = filter([x > k for x in xs], xs)
    sums = scan(lambda a, b: a + b, 0, some)
    return scatter(ys, some, sums)


@function
def collatz(n: i64) -> i64:
    """A while that each lane leaves when it is done."""
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@function
def power(x: f32, k: i64) -> f32:
    """A loop with as many turns in all lanes stays a loop, if k is the same in all."""
    made = x
    for _ in range(k):
        made = made * x
    return made
