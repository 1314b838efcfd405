"""The sieve of Eratosthenes, a byte a number."""

from compiler.kernel import i64, kernel, u8


@kernel
def sieve(n: i64, flags: u8[:]) -> i64:
    """flags[k] = 1 if k is prime, else 0, for k < n; returns how many are."""
    for k in range(2, n):
        flags[k] = 1
    divisor = 2
    while divisor * divisor < n:
        if flags[divisor] != 0:
            for multiple in range(divisor * divisor, n, divisor):
                flags[multiple] = 0
        divisor += 1
    count = 0
    for k in range(n):
        count += i64(flags[k])
    return count
