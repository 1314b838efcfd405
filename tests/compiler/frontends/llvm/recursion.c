// Functions that call themselves: the last call of each is a loop, the others are not.
#include <stdint.h>

int64_t factorial(int64_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

double ackermann(int m, double n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static void sort(int32_t *x, int64_t low, int64_t high) {
    if (low >= high) return;
    int32_t pivot = x[(low + high) / 2];
    int64_t i = low, j = high;
    while (i <= j) {
        while (x[i] < pivot) i++;
        while (x[j] > pivot) j--;
        if (i <= j) {
            int32_t t = x[i];
            x[i++] = x[j];
            x[j--] = t;
        }
    }
    sort(x, low, j);
    sort(x, i, high);
}

void sorted(int32_t *x, int64_t n) { sort(x, 0, n - 1); }

// A tree of addresses, whose root moves while it is walked.
struct tree { int value; struct tree *left, *right; };
static struct tree a = {1, 0, 0}, b = {2, 0, 0}, c = {3, &a, &b}, d = {4, 0, 0}, e = {5, &c, &d};
static struct tree *root = &e;

int sum(int depth) {
    struct tree *t = root;
    if (!t || depth > 9) return 0;
    int found = t->value * (depth + 1);
    root = t->left;
    found += sum(depth + 1);
    root = t->right;
    found += sum(depth + 1) * 2;
    root = t;
    return found;
}

int even(unsigned n);
int odd(unsigned n) { return n == 0 ? 0 : even(n - 1) + 0 * (int)n; }
int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }

// Cannot be had: an array for each call.
int deep(int n, int *out) {
    int held[4] = {n, n + 1, n + 2, n + 3};
    if (n > 0) out[n] = deep(n - 1, held) + deep(n - 2, out);
    return held[n & 3] + out[0];
}
