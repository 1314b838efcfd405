from compiler.kernel import blockDim, blockIdx, i32, kernel, threadIdx


@kernel
def leaving(n: i32, x: i32[n], y: i32[n]):
    i = blockIdx.x * blockDim.x + threadIdx.x
    k = 0
    while True:
        k = k + x[(i + k) % n] % 3 + 1
        if k >= i % 11:
            break
    if x[(i + k) % n] > 30:
        k = k * 7 + x[i]
    y[i] = i32(k)
