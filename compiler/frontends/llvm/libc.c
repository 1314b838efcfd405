/* The functions of the C library that programs for simrun may call.

   They are compiled with the program, by the same passes, and so take the cycles that this code
   takes.  libc.ll is what clang 16 makes of this file (see LLVM.md); a program's own function of the
   same name comes first.

   There is one output, text in stdout_text, and one heap, HEAP bytes. */

typedef unsigned long size_t;
typedef __builtin_va_list va_list;
#define va_start __builtin_va_start
#define va_end __builtin_va_end
#define va_arg __builtin_va_arg
#define NULL ((void *)0)
#define HEAP (4 << 20)
#define OUTPUT (64 << 10)

/* Memory and strings, a byte at a time. */

/* Part of the front end: loops over the widest units that the alignments allow. */
void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memset(void *to, int byte, size_t n);

void *mempcpy(void *restrict to, const void *restrict from, size_t n) {
    return (char *)memcpy(to, from, n) + n;
}

void bzero(void *to, size_t n) { memset(to, 0, n); }

int memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *x = a, *y = b;
    for (; n; n--, x++, y++)
        if (*x != *y)
            return *x - *y;
    return 0;
}

int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }

void *memchr(const void *text, int byte, size_t n) {
    const unsigned char *s = text;
    for (; n; n--, s++)
        if (*s == (unsigned char)byte)
            return (void *)s;
    return NULL;
}

size_t strlen(const char *s) {
    const char *end = s;
    while (*end)
        end++;
    return end - s;
}

size_t strnlen(const char *s, size_t most) {
    size_t n = 0;
    while (n < most && s[n])
        n++;
    return n;
}

int strcmp(const char *a, const char *b) {
    while (*a && *a == *b)
        a++, b++;
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

int strncmp(const char *a, const char *b, size_t n) {
    for (; n; n--, a++, b++)
        if (!*a || *a != *b)
            return *(const unsigned char *)a - *(const unsigned char *)b;
    return 0;
}

char *stpcpy(char *restrict to, const char *restrict from) {
    while ((*to = *from))
        to++, from++;
    return to;
}

char *strcpy(char *restrict to, const char *restrict from) {
    stpcpy(to, from);
    return to;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n) {
    size_t k = 0;
    for (; k < n && from[k]; k++)
        to[k] = from[k];
    for (; k < n; k++)
        to[k] = 0;
    return to;
}

char *strcat(char *restrict to, const char *restrict from) {
    stpcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t n) {
    char *end = to + strlen(to);
    size_t k = 0;
    for (; k < n && from[k]; k++)
        end[k] = from[k];
    end[k] = 0;
    return to;
}

char *strchr(const char *s, int c) {
    for (; *s != (char)c; s++)
        if (!*s)
            return NULL;
    return (char *)s;
}

char *strrchr(const char *s, int c) {
    const char *found = NULL;
    for (;; s++) {
        if (*s == (char)c)
            found = s;
        if (!*s)
            return (char *)found;
    }
}

char *strstr(const char *s, const char *part) {
    size_t n = strlen(part);
    for (; strncmp(s, part, n); s++)
        if (!*s)
            return NULL;
    return (char *)s;
}

size_t strspn(const char *s, const char *those) {
    size_t n = 0;
    while (s[n] && strchr(those, s[n]))
        n++;
    return n;
}

size_t strcspn(const char *s, const char *those) {
    size_t n = 0;
    while (s[n] && !strchr(those, s[n]))
        n++;
    return n;
}

char *strpbrk(const char *s, const char *those) {
    s += strcspn(s, those);
    return *s ? (char *)s : NULL;
}

/* The heap: blocks one behind the other, each with its size before it; the lowest bit of a size says
   that the block is in use.  The first block that is large enough is taken; free neighbours behind a
   block join it when it is looked at, as does the last one what no block has been made of. */

static long heap[HEAP / sizeof(long)];
static size_t heap_used; /* words of the heap that blocks have been made of */

void *malloc(size_t n) {
    if (n > HEAP)
        return NULL;
    size_t words = (n + 15) / 16 * 2 + 2, at = 0;
    while (at < heap_used) {
        size_t here = heap[at] & ~1;
        if (!(heap[at] & 1)) {
            while (at + here < heap_used && !(heap[at + here] & 1))
                here += heap[at + here];
            if (at + here == heap_used) {
                heap_used = at;
                break;
            }
            heap[at] = here;
            if (here >= words) {
                if (here > words)
                    heap[at + words] = here - words;
                heap[at] = words | 1;
                return &heap[at + 2];
            }
        }
        at += here;
    }
    if (at + words > HEAP / sizeof(long))
        return NULL;
    heap_used = at + words;
    heap[at] = words | 1;
    return &heap[at + 2];
}

void free(void *block) {
    if (block)
        ((long *)block)[-2] &= ~1;
}

void *calloc(size_t count, size_t size) {
    size_t n = count * size;
    if (size && n / size != count)
        return NULL;
    void *block = malloc(n);
    return block ? memset(block, 0, n) : NULL;
}

void *realloc(void *block, size_t n) {
    if (!block)
        return malloc(n);
    size_t has = (((long *)block)[-2] & ~1) * 8 - 16;
    if (n <= has)
        return block;
    void *other = malloc(n);
    if (other) {
        memcpy(other, block, has);
        free(block);
    }
    return other;
}

char *strdup(const char *s) {
    char *copy = malloc(strlen(s) + 1);
    return copy ? strcpy(copy, s) : NULL;
}

/* Characters, and the tables that glibc's macros look into */

int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isdigit(int c) { return c >= '0' && c <= '9'; }
int isalpha(int c) { return isupper(c) || islower(c); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isblank(int c) { return c == ' ' || c == '\t'; }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int iscntrl(int c) { return (c >= 0 && c < ' ') || c == 127; }
int isprint(int c) { return c >= ' ' && c < 127; }
int isgraph(int c) { return c > ' ' && c < 127; }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int tolower(int c) { return isupper(c) ? c + 32 : c; }
int toupper(int c) { return islower(c) ? c - 32 : c; }

static unsigned short classes[384];
static int lowered[384], raised[384];
static const unsigned short *classes_at;
static const int *lowered_at, *raised_at;

const unsigned short **__ctype_b_loc(void) {
    if (!classes_at) {
        for (int c = 0; c < 128; c++)
            classes[128 + c] = (isupper(c) << 8) | (islower(c) << 9) | (isalpha(c) << 10) |
                               (isdigit(c) << 11) | (isxdigit(c) << 12) | (isspace(c) << 13) |
                               (isprint(c) << 14) | (isgraph(c) << 15) | isblank(c) |
                               (iscntrl(c) << 1) | (ispunct(c) << 2) | (isalnum(c) << 3);
        classes_at = classes + 128;
    }
    return &classes_at;
}

const int **__ctype_tolower_loc(void) {
    if (!lowered_at) {
        for (int c = -128; c < 256; c++)
            lowered[128 + c] = tolower(c);
        lowered_at = lowered + 128;
    }
    return &lowered_at;
}

const int **__ctype_toupper_loc(void) {
    if (!raised_at) {
        for (int c = -128; c < 256; c++)
            raised[128 + c] = toupper(c);
        raised_at = raised + 128;
    }
    return &raised_at;
}

/* Numbers */

static unsigned long number(const char *s, char **end, int base, int is_signed) {
    const char *start = s;
    while (isspace(*s))
        s++;
    int negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] | 32) == 'x' && isxdigit(s[2]))
        s += 2, base = 16;
    if (base == 0)
        base = *s == '0' ? 8 : 10;
    unsigned long limit = !is_signed ? ~0UL : negative ? 1UL << 63 : ~(1UL << 63), value = 0;
    int any = 0, over = 0;
    for (;; s++, any = 1) {
        int digit = isdigit(*s) ? *s - '0' : isalpha(*s) ? (*s | 32) - 'a' + 10 : 99;
        if (digit >= base)
            break;
        over |= value > (limit - digit) / base;
        value = value * base + digit;
    }
    if (end)
        *end = (char *)(any ? s : start);
    if (over)
        return limit;
    return negative ? -value : value;
}

long strtol(const char *restrict s, char **restrict end, int base) {
    return number(s, end, base, 1);
}

unsigned long strtoul(const char *restrict s, char **restrict end, int base) {
    return number(s, end, base, 0);
}

long atol(const char *s) { return strtol(s, NULL, 10); }
int atoi(const char *s) { return strtol(s, NULL, 10); }

/* glibc's generator: the sum of two of the last 31 numbers */

static unsigned history[34];
static int place, seeded;

void srand(unsigned seed) {
    int word = seed ? seed : 1;
    history[0] = word;
    for (int k = 1; k < 31; k++) {
        long next = 16807L * (int)history[k - 1] % 2147483647;
        history[k] = next < 0 ? next + 2147483647 : next;
    }
    for (int k = 31; k < 34; k++)
        history[k] = history[k - 31];
    place = 0;
    seeded = 1;
    for (int k = 0; k < 310; k++) {
        unsigned next = history[(place + 3) % 34] + history[(place + 31) % 34];
        history[place] = next;
        place = (place + 1) % 34;
    }
}

int rand(void) {
    if (!seeded)
        srand(1);
    unsigned next = history[(place + 3) % 34] + history[(place + 31) % 34];
    history[place] = next;
    place = (place + 1) % 34;
    return next >> 1;
}

/* Sorting: runs of doubled length are merged, so that equal elements keep their order, as glibc does
   it; the heap has to hold the elements once more. */

void qsort(void *array, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    size_t bytes = count * size;
    char *from = array, *held = malloc(bytes), *to = held;
    if (!held)
        __builtin_trap();
    for (size_t run = size; run < bytes; run *= 2) {
        for (size_t start = 0; start < bytes; start += 2 * run) {
            size_t middle = start + run < bytes ? start + run : bytes;
            size_t end = start + 2 * run < bytes ? start + 2 * run : bytes;
            size_t left = start, right = middle;
            for (size_t at = start; at < end; at += size) {
                int first = left < middle && (right == end || compare(from + left, from + right) <= 0);
                size_t *taken = first ? &left : &right;
                memcpy(to + at, from + *taken, size);
                *taken += size;
            }
        }
        char *other = from;
        from = to;
        to = other;
    }
    if (from != array)
        memcpy(array, from, bytes);
    free(held);
}

void *bsearch(const void *key, const void *array, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
    const char *base = array;
    while (count) {
        const char *middle = base + count / 2 * size;
        int order = compare(key, middle);
        if (order == 0)
            return (void *)middle;
        if (order > 0) {
            base = middle + size;
            count -= count / 2 + 1;
        } else
            count /= 2;
    }
    return NULL;
}

/* Output */

char stdout_text[OUTPUT];
long stdout_length;

int putchar(int c) {
    if (stdout_length < OUTPUT)
        stdout_text[stdout_length] = c;
    stdout_length++;
    return (unsigned char)c;
}

int puts(const char *s) {
    for (; *s; s++)
        putchar(*s);
    putchar('\n');
    return 1;
}

/* What printf writes goes to the output, or to `room` bytes of a text. */
struct sink {
    char *text;
    size_t room, length;
};

static void emit(struct sink *to, char c) {
    if (!to->text)
        putchar(c);
    else if (to->length < to->room)
        to->text[to->length] = c;
    to->length++;
}

static void repeat(struct sink *to, char c, int times) {
    for (; times > 0; times--)
        emit(to, c);
}

enum { LEFT = 1, PLUS = 2, SPACE = 4, OTHER = 8, ZERO = 16, UPPER = 32 };

/* A sign or prefix, zeros, and digits, in a field of some width. */
static void field(struct sink *to, const char *prefix, int zeros, const char *digits, int count,
                  int width, int flags) {
    int prefixed = strlen(prefix), fill = width - prefixed - zeros - count;
    if (!(flags & (LEFT | ZERO)))
        repeat(to, ' ', fill);
    for (; *prefix; prefix++)
        emit(to, *prefix);
    if ((flags & (LEFT | ZERO)) == ZERO)
        repeat(to, '0', fill);
    repeat(to, '0', zeros);
    for (int k = 0; k < count; k++)
        emit(to, digits[k]);
    if (flags & LEFT)
        repeat(to, ' ', fill);
}

static void integer(struct sink *to, unsigned long value, const char *prefix, unsigned base,
                    int width, int precision, int flags) {
    char digits[24];
    int at = 24;
    for (; value; value /= base) {
        int digit = value % base;
        digits[--at] = digit < 10 ? '0' + digit : (flags & UPPER ? 'A' : 'a') + digit - 10;
    }
    if (precision >= 0)
        flags &= ~ZERO;
    else
        precision = 1;
    int zeros = precision > 24 - at ? precision - (24 - at) : 0;
    if (base == 8 && flags & OTHER && !zeros && (at == 24 || digits[at] != '0'))
        zeros = 1;
    field(to, prefix, zeros, digits + at, 24 - at, width, flags);
}

static unsigned long bits_of(double x) {
    union {
        double x;
        unsigned long bits;
    } both = {x};
    return both.bits;
}

/* All decimal digits of a finite double without its sign; returns how many, and how many of them
   stand before the point in *point.  m * 2^e is m * 2^e as an integer, or m * 5^-e / 10^-e. */
static int decimal(double x, char *digits, int *point) {
    unsigned long bits = bits_of(x);
    int exponent = (bits >> 52) & 2047;
    unsigned long m = bits & ((1UL << 52) - 1);
    m |= exponent ? 1UL << 52 : 0;
    exponent = (exponent ? exponent : 1) - 1075;
    unsigned limbs[130]; /* base 10^9, the lowest first */
    int n = 0, count = 0;
    for (; m; m /= 1000000000)
        limbs[n++] = m % 1000000000;
    int times = exponent < 0 ? -exponent : exponent, most = exponent < 0 ? 12 : 29;
    while (times) {
        int step = times < most ? times : most;
        unsigned long factor = 1, carry = 0;
        for (int k = 0; k < step; k++)
            factor *= exponent < 0 ? 5 : 2;
        for (int k = 0; k < n; k++) {
            carry += limbs[k] * factor;
            limbs[k] = carry % 1000000000;
            carry /= 1000000000;
        }
        if (carry)
            limbs[n++] = carry;
        times -= step;
    }
    for (int k = n - 1; k >= 0; k--)
        for (int unit = 100000000; unit; unit /= 10)
            if (count || limbs[k] / unit % 10)
                digits[count++] = '0' + limbs[k] / unit % 10;
    *point = exponent < 0 ? count + exponent : count;
    return count;
}

/* Keep the first `kept` digits, rounded to nearest, ties to even; 1 if that made one digit more. */
static int rounded(char *digits, int count, int kept) {
    if (kept >= count)
        return 0;
    int up = 0;
    if (kept >= 0) {
        int rest = 0;
        for (int k = kept + 1; k < count; k++)
            rest |= digits[k] != '0';
        int odd = kept ? digits[kept - 1] & 1 : 0;
        up = digits[kept] > '5' || (digits[kept] == '5' && (rest || odd));
    }
    for (int k = kept < 0 ? 0 : kept; k < count; k++)
        digits[k] = '0';
    for (int k = kept - 1; up && k >= 0; k--) {
        up = digits[k] == '9';
        digits[k] = up ? '0' : digits[k] + 1;
    }
    if (up) {
        for (int k = count - 1; k > 0; k--)
            digits[k] = digits[k - 1];
        digits[0] = '1';
    }
    return up;
}

static void floating(struct sink *to, double x, char kind, int width, int precision, int flags) {
    char digits[1200], text[1600];
    unsigned long bits = bits_of(x);
    const char *sign = bits >> 63 ? "-" : flags & PLUS ? "+" : flags & SPACE ? " " : "";
    if (((bits >> 52) & 2047) == 2047) {
        const char *name = bits << 12 ? "nan" : "inf", *loud = bits << 12 ? "NAN" : "INF";
        field(to, sign, 0, flags & UPPER ? loud : name, 3, width, flags & ~ZERO);
        return;
    }
    if (precision > 1000)
        __builtin_trap();
    if (precision < 0)
        precision = 6;
    int point, length = 0, count = decimal(x, digits, &point), strip = 0;
    if (!count)
        point = 1;
    if (kind == 'g') {
        char copy[1200];
        int general = precision ? precision : 1;
        memcpy(copy, digits, count);
        int first = point + rounded(copy, count, general) - 1;
        strip = !(flags & OTHER);
        kind = first < -4 || first >= general ? 'e' : 'f';
        precision = kind == 'e' ? general - 1 : general - 1 - first;
    }
    if (kind == 'f') {
        point += rounded(digits, count, point + precision);
        if (point <= 0)
            text[length++] = '0';
        for (int k = 0; k < point; k++)
            text[length++] = k < count ? digits[k] : '0';
        int dot = length;
        text[length++] = '.';
        for (int k = 0; k < precision; k++) {
            int from = point + k;
            text[length++] = from >= 0 && from < count ? digits[from] : '0';
        }
        while (strip && length > dot + 1 && text[length - 1] == '0')
            length--;
        if (length == dot + 1 && !(flags & OTHER))
            length--;
    } else {
        int exponent = point - 1 + rounded(digits, count, precision + 1);
        if (!count)
            exponent = 0;
        text[length++] = count ? digits[0] : '0';
        int dot = length;
        text[length++] = '.';
        for (int k = 1; k <= precision; k++)
            text[length++] = k < count ? digits[k] : '0';
        while (strip && length > dot + 1 && text[length - 1] == '0')
            length--;
        if (length == dot + 1 && !(flags & OTHER))
            length--;
        text[length++] = flags & UPPER ? 'E' : 'e';
        text[length++] = exponent < 0 ? '-' : '+';
        if (exponent < 0)
            exponent = -exponent;
        if (exponent > 99)
            text[length++] = '0' + exponent / 100;
        text[length++] = '0' + exponent / 10 % 10;
        text[length++] = '0' + exponent % 10;
    }
    field(to, sign, 0, text, length, width, flags);
}

static int format(struct sink *to, const char *s, va_list arguments) {
    for (; *s; s++) {
        if (*s != '%') {
            emit(to, *s);
            continue;
        }
        int flags = 0, width = 0, precision = -1, size = 4;
        for (s++;; s++) {
            int flag = *s == '-'   ? LEFT
                       : *s == '+' ? PLUS
                       : *s == ' ' ? SPACE
                       : *s == '#' ? OTHER
                       : *s == '0' ? ZERO
                                   : 0;
            if (!flag)
                break;
            flags |= flag;
        }
        if (*s == '*') {
            width = va_arg(arguments, int);
            if (width < 0)
                flags |= LEFT, width = -width;
            s++;
        } else
            for (; isdigit(*s); s++)
                width = 10 * width + *s - '0';
        if (*s == '.') {
            precision = 0;
            if (*++s == '*') {
                precision = va_arg(arguments, int);
                s++;
            } else
                for (; isdigit(*s); s++)
                    precision = 10 * precision + *s - '0';
        }
        for (;; s++) {
            if (*s == 'l' || *s == 'z' || *s == 'j' || *s == 't')
                size = 8;
            else if (*s == 'h')
                size /= 2;
            else
                break;
        }
        unsigned long value = 0;
        const char *prefix = "";
        int base = 10;
        switch (*s) {
        case 'd':
        case 'i': {
            long given = size == 8 ? va_arg(arguments, long) : va_arg(arguments, int);
            given = size == 2 ? (short)given : size == 1 ? (signed char)given : given;
            prefix = given < 0 ? "-" : flags & PLUS ? "+" : flags & SPACE ? " " : "";
            integer(to, given < 0 ? -(unsigned long)given : given, prefix, 10, width, precision, flags);
            break;
        }
        case 'X':
            flags |= UPPER;
        case 'u':
        case 'x':
        case 'o':
            value = size == 8 ? va_arg(arguments, unsigned long) : va_arg(arguments, unsigned);
            value = size == 2 ? (unsigned short)value : size == 1 ? (unsigned char)value : value;
            base = *s == 'u' ? 10 : *s == 'o' ? 8 : 16;
            if (base == 16 && flags & OTHER && value)
                prefix = *s == 'X' ? "0X" : "0x";
            integer(to, value, prefix, base, width, precision, flags);
            break;
        case 'p':
            value = (unsigned long)va_arg(arguments, void *);
            prefix = flags & PLUS ? "+0x" : flags & SPACE ? " 0x" : "0x";
            if (value)
                integer(to, value, prefix, 16, width, precision, flags);
            else
                field(to, "", 0, "(nil)", 5, width, flags & LEFT);
            break;
        case 'c': {
            char c = va_arg(arguments, int);
            field(to, "", 0, &c, 1, width, flags & LEFT);
            break;
        }
        case 's': {
            const char *text = va_arg(arguments, const char *);
            if (!text)
                text = precision < 0 || precision >= 6 ? "(null)" : "";
            int n = precision < 0 ? strlen(text) : strnlen(text, precision);
            field(to, "", 0, text, n, width, flags & LEFT);
            break;
        }
        case 'E':
        case 'F':
        case 'G':
            flags |= UPPER;
        case 'e':
        case 'f':
        case 'g':
            floating(to, va_arg(arguments, double), *s | 32, width, precision, flags);
            break;
        case '%':
            emit(to, '%');
            break;
        default: /* %n, %a, long double: not there, and nothing to go on with */
            __builtin_trap();
        }
    }
    return to->length;
}

int vprintf(const char *restrict s, va_list arguments) {
    struct sink to = {NULL, 0, 0};
    return format(&to, s, arguments);
}

int vsnprintf(char *restrict text, size_t room, const char *restrict s, va_list arguments) {
    char none;
    struct sink to = {room ? text : &none, room ? room - 1 : 0, 0};
    format(&to, s, arguments);
    if (room)
        text[to.length < room - 1 ? to.length : room - 1] = 0;
    return to.length;
}

int vsprintf(char *restrict text, const char *restrict s, va_list arguments) {
    return vsnprintf(text, 1UL << 62, s, arguments);
}

int printf(const char *restrict s, ...) {
    va_list arguments;
    va_start(arguments, s);
    int length = vprintf(s, arguments);
    va_end(arguments);
    return length;
}

int sprintf(char *restrict text, const char *restrict s, ...) {
    va_list arguments;
    va_start(arguments, s);
    int length = vsprintf(text, s, arguments);
    va_end(arguments);
    return length;
}

int snprintf(char *restrict text, size_t room, const char *restrict s, ...) {
    va_list arguments;
    va_start(arguments, s);
    int length = vsnprintf(text, room, s, arguments);
    va_end(arguments);
    return length;
}
