// Structures: nested, packed, by value, in lists whose links are addresses of other variables.
#include <stdint.h>
#include <string.h>

struct point { int16_t x; double y; char tag; };
struct __attribute__((packed)) record { uint8_t kind; uint32_t size; int16_t values[3]; };
struct pair { int64_t first, second; };
struct node { int value; const struct node *next; };

static const struct node third = {30, 0}, second = {20, &third}, first = {10, &second};
struct point corners[3] = {{1, 2.5, 'a'}, {-2, -0.5, 'b'}, {3, 1e300, 'c'}};
static int64_t calls;

int walk(void) {
    int sum = 0;
    for (const struct node *p = &first; p; p = p->next) sum = sum * 3 + p->value;
    return sum;
}

double corner(int i) {
    struct point p = corners[i];
    corners[i].x += 5;
    return p.x + p.y + p.tag;
}

static struct pair divide(int64_t a, int64_t b) {
    struct pair p = {a / b, a % b};
    calls++;
    return p;
}

int64_t swapped(int64_t a, int64_t b) {
    struct pair p = divide(a, b), q = a > b ? p : divide(b, a);
    return q.second * 1000 + p.first + calls;
}

int64_t records(const uint8_t *bytes, int n) {
    int64_t sum = 0;
    for (int i = 0; i < n; i++) {
        struct record r;
        memcpy(&r, bytes + i * sizeof r, sizeof r);
        sum += r.kind ^ (int64_t)r.size * r.values[i % 3];
    }
    return sum;
}

void fill(struct record *to, int n) {
    for (int i = 0; i < n; i++) {
        to[i].kind = (uint8_t)i;
        to[i].size = 0x01020304u * (uint32_t)i;
        for (int k = 0; k < 3; k++) to[i].values[k] = (int16_t)(i - k);
    }
}
