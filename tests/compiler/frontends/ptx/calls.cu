// nvcc -arch=sm_75 -ptx -lineinfo calls.cu -o calls.ptx
// Functions that call themselves, each other, and through tables and objects.

__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
extern "C" __global__ void fibs(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = fib(i % 12);
}
typedef float (*Fn)(float, float);
__device__ __noinline__ float add2(float a, float b) { return a + b; }
__device__ __noinline__ float mul2(float a, float b) { return a * b; }
__device__ __noinline__ float sub2(float a, float b) { return a - b; }
__device__ Fn table[3] = {add2, mul2, sub2};
extern "C" __global__ void apply(float *out, const float *x, const int *which, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[which[i]](x[i], 2.0f);
}
struct Shape { __device__ virtual double area() const = 0; };
struct Square : Shape { double s; __device__ Square(double s) : s(s) {} __device__ double area() const override { return s * s; } };
struct Circle : Shape { double r; __device__ Circle(double r) : r(r) {} __device__ double area() const override { return 3.0 * r * r; } };
extern "C" __global__ void areas(double *out, const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Square a(x[i]); Circle b(x[i]);
  Shape *s = (i & 1) ? (Shape *)&a : (Shape *)&b;
  out[i] = s->area();
}
__device__ __noinline__ bool is_odd(unsigned n);
__device__ __noinline__ bool is_even(unsigned n) { return n == 0 ? true : is_odd(n - 1); }
__device__ __noinline__ bool is_odd(unsigned n) { return n == 0 ? false : is_even(n - 1); }
struct Pair { int lo, hi; long sum; };
__device__ __noinline__ Pair bounds(const int *a, int lo, int hi) {
  if (hi - lo == 1) { Pair p = {a[lo], a[lo], a[lo]}; return p; }
  int mid = (lo + hi) / 2;
  Pair l = bounds(a, lo, mid), r = bounds(a, mid, hi);
  Pair p = {min(l.lo, r.lo), max(l.hi, r.hi), l.sum + r.sum};
  return p;
}
extern "C" __global__ void pairs(int *out, long *sums, const int *a, int n) {
  int i = threadIdx.x;
  Pair p = bounds(a, i * n, i * n + n);
  out[2 * i] = p.lo + is_even(i); out[2 * i + 1] = p.hi; sums[i] = p.sum;
}
__device__ __noinline__ void sort(int *a, int lo, int hi, int depth) {
  if (lo >= hi) return;
  int tmp[2]; tmp[0] = a[(lo + hi) / 2]; tmp[1] = depth;
  int i = lo, j = hi; 
  while (i <= j) { while (a[i] < tmp[0]) i++; while (a[j] > tmp[0]) j--; if (i <= j) { int t = a[i]; a[i] = a[j]; a[j] = t; i++; j--; } }
  sort(a, lo, j, depth + 1); sort(a, i, hi, tmp[1] + 1);
}
extern "C" __global__ void sorts(int *a, int n) { sort(a, threadIdx.x * n, threadIdx.x * n + n - 1, 0); }
__device__ __noinline__ int walk(int *bits, int n, int at) {
  int own[4]; for (int k = 0; k < 4; k++) own[k] = bits[(at + k) & 3] + n;
  if (n == 0) return own[at & 3];
  int s = walk(own, n - 1, (at * 3 + 1) & 7 & 3) ;
  return s + own[(at + 1) & 3];
}
extern "C" __global__ void walks(int *out) { int b[8]; for (int k = 0; k < 8; k++) b[k] = k * threadIdx.x; out[threadIdx.x] = walk(b, 6, threadIdx.x & 7); }
