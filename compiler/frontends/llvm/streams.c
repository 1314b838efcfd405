/* Streams of the C library: what is written to stdout is what putchar writes; what is written to
 * stderr is counted and not kept; there is nothing to read.
 */

typedef unsigned long size_t;
typedef __builtin_va_list va_list;
typedef char FILE;

int putchar(int c);
int vprintf(const char *restrict s, va_list arguments);
int vsnprintf(char *restrict text, size_t room, const char *restrict s, va_list arguments);

static FILE streams[3];
FILE *stdin = &streams[0];
FILE *stdout = &streams[1];
FILE *stderr = &streams[2];

static inline int put(int c, FILE *to) { return to == &streams[1] ? putchar(c) : (unsigned char)c; }

int putc(int c, FILE *to) { return put(c, to); }
int fputc(int c, FILE *to) { return put(c, to); }
int _IO_putc(int c, FILE *to) { return put(c, to); }
int putc_unlocked(int c, FILE *to) { return put(c, to); }
int fputc_unlocked(int c, FILE *to) { return put(c, to); }
int putchar_unlocked(int c) { return putchar(c); }

int fputs(const char *restrict s, FILE *restrict to)
{
    for (; *s; s++)
        put(*s, to);
    return 1;
}

size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict to)
{
    const char *s = from;
    for (size_t k = 0; k < size * count; k++)
        put(s[k], to);
    return size ? count : 0;
}

int vfprintf(FILE *restrict to, const char *restrict s, va_list arguments)
{
    return to == &streams[1] ? vprintf(s, arguments) : vsnprintf((void *)0, 0, s, arguments);
}

int fprintf(FILE *restrict to, const char *restrict s, ...)
{
    va_list arguments;
    __builtin_va_start(arguments, s);
    int length = vfprintf(to, s, arguments);
    __builtin_va_end(arguments);
    return length;
}

int fflush(FILE *of) { return 0; }
int ferror(FILE *of) { return 0; }
int getchar(void) { return -1; }
int getc(FILE *from) { return -1; }
int fgetc(FILE *from) { return -1; }
