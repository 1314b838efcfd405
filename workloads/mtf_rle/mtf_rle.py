"""Move-to-front and zero-run coding, the step between sorting and Huffman coding in bzip2."""

from compiler.kernel import i32, i64, kernel, u8, u16


@kernel
def emit_run(run: i64, symbols: u16[:], length: i64) -> i64:
    """Append a run of zeros in bijective base 2 (digits 1 and 2 as symbols 0 and 1, lowest first).

    Returns the new length.
    """
    end = length
    rest = run
    while rest > 0:
        symbols[end] = u16((rest - 1) & 1)
        rest = (rest - 1) >> 1
        end += 1
    return end


@kernel
def mtf_rle(n: i64, data: u8[:], symbols: u16[:]) -> i64:
    """Code data[0 … n - 1] into symbols; returns how many there are.

    A symbol is 0 or 1 for runs of the byte in front, 1 + the byte's place in the list otherwise,
    and at the end the number of different bytes + 1.
    """
    used: i32[256]
    order: u8[256]
    for i in range(n):
        used[data[i]] = 1
    in_use = 0
    for symbol in range(256):
        if used[symbol] != 0:
            order[in_use] = u8(symbol)
            in_use += 1

    length, run = 0, 0
    for i in range(n):
        byte = data[i]
        if order[0] == byte:
            run += 1
        else:
            length = emit_run(run, symbols, length)
            run = 0
            carried = order[0]
            place = 0
            while carried != byte:
                place += 1
                carried, order[place] = order[place], carried
            order[0] = byte
            symbols[length] = u16(place + 1)
            length += 1
    length = emit_run(run, symbols, length)
    symbols[length] = u16(in_use + 1)
    return length + 1
