/* What C programs of other people have: the C library, calls through pointers, variable arguments,
   local arrays in functions that call themselves, structures by value, saturation. */

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int descending(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
static int by_digit(const void *a, const void *b) {
    return *(const int *)a % 10 - *(const int *)b % 10;
}

int sorted(int *x, int n, int digits) {
    qsort(x, n, sizeof *x, digits ? by_digit : descending);
    int first = x[0];
    return bsearch(&first, x, 1, sizeof first, descending) == x ? first : -1;
}

int formatted(char *out, int a, int64_t b, double c) {
    int n = sprintf(out, "%d|%5d|%-6x|%#o|%ld|%+.3f|%g|%e|%c%%", a, -a, a, a, (long)b, c, c, c, 'z');
    n += snprintf(out + 100, 9, "%s:%08.3f", "text", c);
    return n + snprintf(out + 120, 40, "%.0f %.10g %5.2s| %*d", c, c / 3, "abc", 6, a);
}

int words(char *text, char *out) {
    int count = 0;
    char *at = out;
    for (char *s = text; *s; s++) {
        if (isspace((unsigned char)*s))
            continue;
        char *end = s;
        while (*end && !isspace((unsigned char)*end))
            end++;
        strncpy(at, s, end - s);
        at[0] = toupper((unsigned char)at[0]);
        at += end - s;
        *at++ = '.';
        s = end - 1;
        count++;
    }
    *at = 0;
    return 1000 * count + (int)strlen(out) + 10 * (strcmp(text, out) > 0) +
           (strchr(out, 'Q') ? (int)(strchr(out, 'Q') - out) : -1) +
           100 * (memchr(out, '.', 3) != NULL) + (strstr(text, "fox") != NULL);
}

struct node {
    struct node *next;
    long value;
};

long allocated(int n) {
    struct node *head = NULL;
    for (int k = 0; k < n; k++) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            return -1;
        *node = (struct node){head, k * k};
        head = node;
    }
    long sum = 0;
    for (int k = 0; head; k++) {
        struct node *next = head->next;
        sum = 3 * sum + head->value;
        free(head);
        head = k % 2 ? next : next ? next->next : NULL;
    }
    long *cleared = calloc(n, sizeof *cleared);
    for (int k = 0; k < n; k++)
        sum += cleared[k];
    cleared = realloc(cleared, 4 * n * sizeof *cleared);
    return cleared ? sum : -2;
}

typedef long (*operation)(long, double);
static long plus(long a, double b) { return a + (long)b; }
static long times(long a, double b) { return a * (long)b; }
static long minus(long a, double b) { return a - (long)b; }
static long again(long a, double b);
static operation operations[] = {plus, times, minus, again};
static long again(long a, double b) { return a > 1000 ? a : operations[a % 3](a + 1, b + 1); }

long calculated(const unsigned char *code, int n, long a) {
    for (int k = 0; k < n; k++)
        a = operations[code[k] % 4](a, code[k] / 4);
    return a;
}

static double sum(int n, ...) {
    va_list arguments, copy;
    va_start(arguments, n);
    va_copy(copy, arguments);
    double total = 0;
    for (int k = 0; k < n; k++)
        total += k % 2 ? va_arg(arguments, double) : va_arg(arguments, int);
    total += va_arg(copy, int);
    va_end(arguments);
    return total;
}

double summed(int a, double b) { return sum(5, a, b, 3, -b, a + 1) + sum(1, a); }

int permuted(int n, int *out) {
    int row[8], count = 0;
    if (n == 0)
        return 1;
    for (int k = 0; k < n; k++)
        row[k] = k * n + out[n];
    for (int k = 0; k < n; k++)
        count += permuted(n - 1, out) + (row[k] == k * n + out[n] ? 0 : 1000);
    out[n] += row[n - 1];
    return count;
}

int variable(int n) {
    int total = 0;
    for (int round = 1; round < n; round++) {
        int own[round];
        for (int k = 0; k < round; k++)
            own[k] = k * round;
        total += own[round / 2];
    }
    return total;
}

struct point {
    float x, y;
};
struct box {
    struct point low, high;
    long kind;
};

__attribute__((noinline)) static struct point moved(struct point p, struct point by) {
    return (struct point){p.x + by.x, p.y - by.y};
}

/* Too long to be inlined twice; it changes its copy only. */
__attribute__((noinline)) static long grown(struct box b, int depth) {
    b.low = moved(b.low, b.high);
    b.kind++;
    return depth ? grown(b, depth - 1) + grown(b, depth - 1) + b.kind : (long)(b.low.x * 4 + b.low.y);
}

long boxed(float x, float y, int depth) {
    struct box b = {{x, y}, {y, x}, 5};
    long found = grown(b, depth);
    return found * 100 + b.kind + (long)b.low.x;
}

short saturated(short a, short b) {
    int up = a + b, down = a - b;
    short s = up > 32767 ? 32767 : up < -32768 ? -32768 : up;
    short d = down > 32767 ? 32767 : down < -32768 ? -32768 : down;
    return s ^ (d >> 1);
}
