// Functions that call themselves: the last call of each is a loop, the others are not.
#include <stdint.h>

int64_t factorial(int64_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
