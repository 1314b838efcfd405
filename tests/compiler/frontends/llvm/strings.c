// C's strings, by hand: what the library does with them is not in this file.
#include <stdint.h>
#include <string.h>

static int64_t length(const char *s) {
    int64_t n = 0;
    while (s[n]) n++;
    return n;
}

static int compare(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

static void reverse(char *s, int64_t n) {
    for (int64_t i = 0, j = n - 1; i < j; i++, j--) {
        char c = s[i];
        s[i] = s[j];
        s[j] = c;
    }
}

static const char *const words[] = {"carry", "borrow", "", "overflow", "zero"};

// Which of the words the text is, -1 if none.
int find(const char *text) {
    for (int k = 0; k < 5; k++)
        if (!compare(text, words[k])) return k;
    return -1;
}

// Writes a number in a base, and moves it to the right by `indent`; its length.
int64_t format(int64_t value, int base, int64_t indent, char *out) {
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    char *p = out;
    do {
        int digit = (int)(rest % (unsigned)base);
        *p++ = (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
        rest /= (unsigned)base;
    } while (rest);
    if (value < 0) *p++ = '-';
    *p = 0;
    reverse(out, p - out);
    int64_t n = length(out);
    memmove(out + indent, out, (uint64_t)n + 1);
    memset(out, ' ', (uint64_t)indent);
    return length(out);
}

// All occurrences of c move to the front.
void shift(char *text, int64_t n, int64_t by) { memmove(text, text + by, (uint64_t)(n - by)); }
