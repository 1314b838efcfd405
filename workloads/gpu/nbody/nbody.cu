// Accelerations of n bodies by gravity, all pairs: blocks bring bodies into shared memory, tile by
// tile.  A body is (x, y, z, mass); n is a multiple of the block.
//
//     nvcc -arch=sm_90 -ptx -lineinfo -o nbody.ptx nbody.cu

extern "C" __global__ void nbody(const float4 *bodies, float4 *accelerations, int n, float softening)
{
    extern __shared__ float4 tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 body = bodies[i];
    float ax = 0, ay = 0, az = 0;
    for (int first = 0; first < n; first += blockDim.x) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < blockDim.x; k++) {
            float4 other = tile[k];
            float dx = other.x - body.x, dy = other.y - body.y, dz = other.z - body.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
            float strength = other.w * inverse * inverse * inverse;
            ax += strength * dx;
            ay += strength * dy;
            az += strength * dz;
        }
        __syncthreads();
    }
    accelerations[i] = make_float4(ax, ay, az, 0);
}
