// Quicksort with a stack of its own, and insertion sort of what is short.
#include <stdint.h>

static void insertion(int32_t *x, int low, int high) {
    for (int i = low + 1; i <= high; i++) {
        int32_t v = x[i];
        int j = i;
        for (; j > low && x[j - 1] > v; j--) x[j] = x[j - 1];
        x[j] = v;
    }
}

int quicksort(int32_t *x, int n) {
    struct { int low, high; } stack[64];
    int depth = 0, splits = 0;
    stack[depth].low = 0, stack[depth++].high = n - 1;
    while (depth) {
        int low = stack[--depth].low, high = stack[depth].high;
        if (high - low < 8) {
            insertion(x, low, high);
            continue;
        }
        int32_t pivot = x[low + (high - low) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (x[i] < pivot) i++;
            while (x[j] > pivot) j--;
            if (i <= j) {
                int32_t t = x[i];
                x[i++] = x[j];
                x[j--] = t;
            }
        }
        splits++;
        stack[depth].low = low, stack[depth++].high = j;
        stack[depth].low = i, stack[depth++].high = high;
    }
    return splits;
}
