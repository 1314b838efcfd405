"""While loops: how often they run is known only when they end.

Where a loop ends after a few dozen iterations, the kernel runs it for many numbers.
"""

from compiler.kernel import f64, i64, kernel, sqrt, u64


@kernel
def gcd(count: i64, a: i64[:], b: i64[:], out: i64[:]):
    """Euclid's algorithm."""
    for i in range(count):
        x, y = a[i], b[i]
        while y != 0:
            x, y = y, x % y
        out[i] = x


@kernel
def subtractive_gcd(count: i64, a: i64[:], b: i64[:], out: i64[:]):
    """Euclid's algorithm as he wrote it, by subtraction, of positive numbers."""
    for i in range(count):
        x, y = a[i], b[i]
        while x != y:
            if x > y:
                x -= y
            else:
                y -= x
        out[i] = x


@kernel
def collatz(count: i64, start: i64[:], steps: i64[:]):
    """Steps from each number to 1."""
    for i in range(count):
        number = start[i]
        taken = 0
        while number != 1:
            number = 3 * number + 1 if number & 1 != 0 else number >> 1
            taken += 1
        steps[i] = taken


@kernel
def newton(count: i64, error: f64, squares: f64[:], roots: f64[:]):
    """Square roots of numbers of at least 1, by Newton's method from the number itself."""
    for i in range(count):
        square = squares[i]
        root = square
        while root * root - square > error * square:
            root = 0.5 * (root + square / root)
        roots[i] = root


@kernel
def list_length(first: i64, following: i64[:]) -> i64:
    """Elements of the linked list that begins at `first`; element 0 is its end, and not of it."""
    element = first
    length = 0
    while element != 0:
        length += 1
        element = following[element]
    return length


@kernel
def list_sum(first: i64, following: i64[:], value: i64[:]) -> i64:
    element = first
    total = 0
    while element != 0:
        total += value[element]
        element = following[element]
    return total


@kernel
def list_find(first: i64, wanted: i64, following: i64[:], value: i64[:]) -> i64:
    """The first element of the list that holds `wanted`, or 0."""
    element = first
    while element != 0 and value[element] != wanted:
        element = following[element]
    return element


@kernel
def binary_search(n: i64, keys: i64, wanted: i64[:], x: i64[:], place: i64[:]):
    """For each key how many of the n ascending elements are below it."""
    for k in range(keys):
        key = wanted[k]
        low, high = 0, n
        while low < high:
            middle = (low + high) >> 1
            if x[middle] < key:
                low = middle + 1
            else:
                high = middle
        place[k] = low


@kernel
def linear_search(first: i64, wanted: i64, x: i64[:]) -> i64:
    """Place of the next element from x[first] on that is `wanted`, which there is."""
    place = first
    while x[place] != wanted:
        place += 1
    return place


@kernel
def logarithm(count: i64, numbers: u64[:], bits: i64[:]):
    """Binary logarithms, rounded down; of 0 it is -1."""
    for i in range(count):
        rest = numbers[i]
        shifts = -1
        while rest != 0:
            rest = rest >> 1
            shifts += 1
        bits[i] = shifts


@kernel
def decimal_digits(count: i64, numbers: i64[:], sums: i64[:]):
    """The sums of the digits of numbers."""
    for i in range(count):
        rest = numbers[i]
        total = 0
        while rest > 0:
            total += rest % 10
            rest = rest // 10
        sums[i] = total


@kernel
def mean_of_means(count: i64, error: f64, a: f64[:], b: f64[:], out: f64[:]):
    """The arithmetic-geometric means of a ≥ b > 0 (Gauss)."""
    for i in range(count):
        x, y = a[i], b[i]
        while x - y > error:
            x, y = 0.5 * (x + y), sqrt(x * y)
        out[i] = x


@kernel
def sum_until(limit: i64, x: i64[:]) -> i64:
    """How many elements may be added before the sum exceeds the limit."""
    total = x[0]
    count = 0
    while total <= limit:
        count += 1
        total += x[count]
    return count


@kernel
def probe(key: i64, keys: i64[1024]) -> i64:
    """Open addressing: the place of `key`, or of the first free one (0) after where it belongs."""
    place = key & 1023
    while keys[place] != 0 and keys[place] != key:
        place = (place + 1) & 1023
    return place
