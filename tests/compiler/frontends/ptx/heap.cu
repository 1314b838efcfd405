// nvcc -arch=sm_75 -ptx -lineinfo heap.cu -o heap.ptx
#include <cooperative_groups.h>
// Lists of nodes on the heap: each thread builds, sums and frees one, some of them twice over.
struct Node { int value; Node *next; };
extern "C" __global__ void lists(long *out, const int *counts, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long sum = 0;
  for (int r = 0; r < rounds; r++) {
    Node *head = nullptr;
    for (int k = 0; k < counts[i]; k++) { Node *n = (Node *)malloc(sizeof(Node) + k); n->value = i + k * r; n->next = head; head = n; }
    while (head) { sum += head->value; Node *gone = head; head = head->next; free(gone); }
  }
  out[i] = sum;
}
extern "C" __global__ void greedy(int *out) { void *p = malloc(5 << 20), *q = malloc(5 << 20); out[0] = p != nullptr; out[1] = q != nullptr; free(p); p = malloc(4 << 20); out[2] = p != nullptr; }
extern "C" __global__ void twice(int *out) { void *p = malloc(16); free(p); free(p); out[0] = 1; }
extern "C" __global__ void rounds(int *a, int *b, int n, int times) {
  cooperative_groups::grid_group g = cooperative_groups::this_grid();
  for (int r = 0; r < times; r++) {
    for (int i = g.thread_rank(); i < n; i += g.size()) b[i] = a[(i + 1) % n] + 1;
    g.sync();
    int *t = a; a = b; b = t;
  }
}
