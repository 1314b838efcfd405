/* Functions of the C library that are operations of the compiler where they are called: their code,
 * for those whose address is taken.
 */

typedef unsigned long size_t;

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    for (size_t k = 0; k < n; k++)
        ((char *)to)[k] = ((const char *)from)[k];
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    if ((size_t)to <= (size_t)from)
        return memcpy(to, from, n);
    while (n--)
        ((char *)to)[n] = ((const char *)from)[n];
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    for (size_t k = 0; k < n; k++)
        ((char *)to)[k] = byte;
    return to;
}

void abort(void) { __builtin_trap(); }

#define OF_ONE(name) \
    double name(double x) { return __builtin_##name(x); } \
    float name##f(float x) { return __builtin_##name##f(x); }
#define OF_TWO(name) \
    double name(double x, double y) { return __builtin_##name(x, y); } \
    float name##f(float x, float y) { return __builtin_##name##f(x, y); }
#define TO_LONG(name) \
    long name(double x) { return __builtin_##name(x); } \
    long name##f(float x) { return __builtin_##name##f(x); }

OF_ONE(sqrt) OF_ONE(fabs) OF_ONE(floor) OF_ONE(ceil) OF_ONE(trunc) OF_ONE(rint) OF_ONE(nearbyint)
OF_ONE(round) OF_TWO(fmin) OF_TWO(fmax) OF_TWO(copysign)
TO_LONG(lrint) TO_LONG(llrint) TO_LONG(lround) TO_LONG(llround)

double roundeven(double x) { return __builtin_rint(x); }
float roundevenf(float x) { return __builtin_rintf(x); }
double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
