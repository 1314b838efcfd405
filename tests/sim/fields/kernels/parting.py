from compiler.kernel import blockDim, blockIdx, i32, kernel, threadIdx


@kernel
def parting(n: i32, x: i32[n], y: i32[n]):
    i = blockIdx.x * blockDim.x + threadIdx.x
    total = 0
    for k in range(i % 7 + 1):
        if x[(i + k) % n] > k:
            total = total + k
            if x[(i * 3 + k) % n] > 40:
                total = total * 3
                if total > 900:
                    break
        else:
            total = total - 1
            if i % 5 == k:
                continue
        total = total + 2
    if i < n:
        y[i] = i32(total)
