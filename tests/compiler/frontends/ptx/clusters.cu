// nvcc -arch=sm_90 -ptx clusters.cu -o clusters.ptx
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void histogram(int *bins, int nbins, int per, const int *in, int n) {
  extern __shared__ int smem[];
  auto tid = cg::this_grid().thread_rank();
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank();
  int size = cluster.dim_blocks().x;
  for (int i = threadIdx.x; i < per; i += blockDim.x) smem[i] = 0;
  cluster.sync();
  for (int i = tid; i < n; i += blockDim.x * gridDim.x) {
    int b = in[i]; b = b < 0 ? 0 : b >= nbins ? nbins - 1 : b;
    int dst = b / per, off = b % per;
    int *d = cluster.map_shared_rank(smem, dst);
    atomicAdd(d + off, 1);
  }
  cluster.sync();
  int *mine = bins + cluster.block_rank() * per;
  for (int i = threadIdx.x; i < per; i += blockDim.x) atomicAdd(&mine[i], smem[i]);
}
extern "C" __global__ void __cluster_dims__(4,1,1) reduction(float *out, const float *in, int n) {
  __shared__ float part;
  __shared__ float warp[32];
  cg::cluster_group c = cg::this_cluster();
  float s = 0;
  for (int i = blockIdx.x*blockDim.x + threadIdx.x; i < n; i += gridDim.x*blockDim.x) s += in[i];
  for (int k = 16; k; k >>= 1) s += __shfl_xor_sync(~0u, s, k);
  if (threadIdx.x % 32 == 0) warp[threadIdx.x/32] = s;
  __syncthreads();
  if (threadIdx.x == 0) { float t = 0; for (int k = 0; k < blockDim.x/32; k++) t += warp[k]; part = t; }
  c.sync();
  if (c.block_rank() == 0 && threadIdx.x == 0) { float t = 0; for (unsigned k = 0; k < c.num_blocks(); k++) t += *c.map_shared_rank(&part, k); out[blockIdx.x / 4] = t; }
  c.sync();
}
extern "C" __global__ void ring(int *out, int steps) {
  __shared__ int buf[2][64];
  cg::cluster_group c = cg::this_cluster();
  unsigned r = c.block_rank(), n = c.num_blocks();
  int t = threadIdx.x; buf[0][t] = blockIdx.x * 1000 + t;
  auto token = c.barrier_arrive(); c.barrier_wait(std::move(token));
  for (int s = 0; s < steps; s++) {
    c.map_shared_rank(&buf[(s+1)&1][0], (r+1)%n)[t] = buf[s&1][t] + 1;
    c.sync();
  }
  out[blockIdx.x*blockDim.x + t] = buf[steps&1][t];
}
extern "C" __global__ void __cluster_dims__(2,2,1) transposes(float *out, const float *in, int n) {
  __shared__ float tile[16][16];
  cg::cluster_group c = cg::this_cluster();
  dim3 b = c.block_index();
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y*16+y)*n + blockIdx.x*16+x];
  c.sync();
  unsigned other = b.x * 2 + b.y;
  float *o = c.map_shared_rank(&tile[0][0], other);
  out[(blockIdx.y*16+y)*n + blockIdx.x*16+x] = o[x*16+y];
  c.sync();
}
extern "C" __global__ void names(int *out) {
  cg::cluster_group c = cg::this_cluster();
  int *o = out + 16 * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  __shared__ int w; 
  o[0]=c.block_rank(); o[1]=c.num_blocks(); o[2]=c.block_index().x; o[3]=c.block_index().y; o[4]=c.block_index().z;
  o[5]=c.dim_blocks().x; o[6]=c.dim_blocks().y; o[7]=c.dim_blocks().z; o[8]=c.query_shared_rank(&w);
  unsigned v; asm("mov.u32 %0, %%clusterid.x;":"=r"(v)); o[9]=v; asm("mov.u32 %0, %%clusterid.y;":"=r"(v)); o[10]=v;
  asm("mov.u32 %0, %%nclusterid.x;":"=r"(v)); o[11]=v; asm("mov.u32 %0, %%nclusterid.y;":"=r"(v)); o[12]=v;
  asm("{.reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p;}":"=r"(v)); o[13]=v;
  o[14] = c.query_shared_rank(c.map_shared_rank(&w, c.num_blocks()-1)); o[15] = c.thread_rank();
}
extern "C" __global__ void asms(unsigned *out) {
  __shared__ unsigned w[32]; __shared__ unsigned long long q[4];
  cg::cluster_group c = cg::this_cluster();
  unsigned t=threadIdx.x, r=c.block_rank(), n=c.num_blocks();
  w[t]=t+100*r; if (t<4) q[t]=t;
  asm volatile("barrier.cluster.arrive.release.aligned;\n barrier.cluster.wait.acquire.aligned;" ::: "memory");
  unsigned a = (unsigned)__cvta_generic_to_shared(&w[t]), b, v, p, k;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(b) : "r"(a), "r"((r+1)%n));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(b));
  asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(k) : "r"(b));
  unsigned qa=(unsigned)__cvta_generic_to_shared(q), qb; unsigned long long old;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(qb) : "r"(qa), "r"(0));
  asm volatile("atom.shared::cluster.add.u64 %0, [%1+8], 3;" : "=l"(old) : "r"(qb) : "memory");
  asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1000;" :: "r"(b) : "memory");
  asm volatile("barrier.cluster.arrive.relaxed.aligned;\n fence.acq_rel.cluster; barrier.cluster.wait.aligned;" ::: "memory");
  unsigned long long g; asm("cvta.shared::cluster.u64 %0, %1;" : "=l"(g) : "l"((unsigned long long)b));
  asm("{.reg .pred p, q; isspacep.shared::cluster p, %1; isspacep.shared::cta q, %1; selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2; }" : "=r"(p) : "l"(g));
  out[(blockIdx.x*32+t)*4]=v; out[(blockIdx.x*32+t)*4+1]=k+16*p; out[(blockIdx.x*32+t)*4+2]=w[t]; out[(blockIdx.x*32+t)*4+3]=(unsigned)q[1];
  c.sync();
  asm volatile("st.shared::cluster.u32 [%0], %1;" :: "r"(b), "r"(7u));
  c.sync();
  out[(blockIdx.x*32+t)*4] += w[t];
}
