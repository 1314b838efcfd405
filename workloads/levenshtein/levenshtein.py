"""Edit distance by dynamic programming, one row of the table at a time."""

from compiler.kernel import i32, i64, kernel, u8

LONGEST = 1024  # bytes of a string; the size of the row


@kernel
def levenshtein(text: u8[:], first: i64, second: i64, length: i64) -> i32:
    """Distance of text[first … first + length - 1] and text[second … second + length - 1]."""
    row: i32[LONGEST + 1]
    for j in range(length + 1):
        row[j] = i32(j)
    for i in range(length):
        byte = text[first + i]
        diagonal = row[0]
        left = i32(i + 1)
        row[0] = left
        for j in range(length):
            above = row[j + 1]
            replaced = diagonal if text[second + j] == byte else diagonal + 1
            left = min(min(left, above) + 1, replaced)
            diagonal = above
            row[j + 1] = left
    return row[length]
