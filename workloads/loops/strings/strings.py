"""Loops over strings: bytes, ended by a zero or counted."""

from compiler.kernel import i64, kernel, u8


@kernel
def strlen(first: i64, text: u8[:]) -> i64:
    """Bytes from text[first] to the next zero."""
    place = first
    while text[place] != 0:
        place += 1
    return place - first


@kernel
def strcpy(first: i64, text: u8[:], copy: u8[:]) -> i64:
    """Copy from text[first] to the next zero, which is copied too; returns the length."""
    length = 0
    byte = text[first]
    while byte != 0:
        copy[length] = byte
        length += 1
        byte = text[first + length]
    copy[length] = 0
    return length


@kernel
def strcmp(first: i64, a: u8[:], b: u8[:]) -> i64:
    """Difference of the first bytes that differ, or 0 at the end of both."""
    place = first
    while a[place] == b[place] and a[place] != 0:
        place += 1
    return i64(a[place]) - i64(b[place])


@kernel
def memcmp(n: i64, a: u8[:], b: u8[:]) -> i64:
    for i in range(n):
        if a[i] != b[i]:
            return i64(a[i]) - i64(b[i])
    return 0


@kernel
def memchr(n: i64, wanted: u8, text: u8[:]) -> i64:
    """Place of the first such byte, -1 if there is none."""
    for i in range(n):
        if text[i] == wanted:
            return i
    return -1


@kernel
def memcpy(n: i64, text: u8[:], copy: u8[:]):
    for i in range(n):
        copy[i] = text[i]


@kernel
def memmove_up(n: i64, by: i64, text: u8[:]):
    """Move n bytes up by less than n, from the last one on, as they overlap."""
    for i in range(n - 1, -1, -1):
        text[i + by] = text[i]


@kernel
def memset(n: i64, byte: u8, text: u8[:]):
    for i in range(n):
        text[i] = byte


@kernel
def to_upper(n: i64, text: u8[:]):
    for i in range(n):
        byte = text[i]
        if 97 <= byte <= 122:
            text[i] = u8(byte - 32)


@kernel
def count_byte(n: i64, wanted: u8, text: u8[:]) -> i64:
    count = 0
    for i in range(n):
        if text[i] == wanted:
            count += 1
    return count


@kernel
def count_words(n: i64, text: u8[:]) -> i64:
    """Words between blanks and ends of lines."""
    count = 0
    outside = True
    for i in range(n):
        blank = text[i] == 32 or text[i] == 10
        if outside and not blank:
            count += 1
        outside = blank
    return count


@kernel
def atoi(first: i64, text: u8[:]) -> i64:
    """The number that the digits from text[first] on write."""
    value = 0
    place = first
    while 48 <= text[place] <= 57:
        value = 10 * value + i64(text[place]) - 48
        place += 1
    return value


@kernel
def sum_digits(n: i64, text: u8[:]) -> i64:
    total = 0
    for i in range(n):
        digit = i64(text[i]) - 48
        if 0 <= digit < 10:
            total += digit
    return total


@kernel
def djb2(n: i64, text: u8[:]) -> i64:
    """Bernstein's hash, h ← 33·h + byte."""
    h = 5381
    for i in range(n):
        h = (h << 5) + h + i64(text[i])
    return h


@kernel
def fnv1a(n: i64, text: u8[:]) -> i64:
    """Hash of Fowler, Noll and Vo, 64 bits."""
    h = -3750763034362895579
    for i in range(n):
        h = (h ^ i64(text[i])) * 1099511628211
    return h


@kernel
def count_characters(n: i64, text: u8[:]) -> i64:
    """Characters of UTF-8: bytes that continue none."""
    count = 0
    for i in range(n):
        if text[i] & 0xC0 != 0x80:
            count += 1
    return count


@kernel
def palindrome(n: i64, text: u8[:]) -> i64:
    """1 if the first 2·n bytes are the same backwards, else 0."""
    low, high = 0, 2 * n - 1
    while low < high:
        if text[low] != text[high]:
            return 0
        low += 1
        high -= 1
    return 1


@kernel
def edit_row(n: i64, byte: u8, text: u8[:], row: i64[:]):
    """The next row of Levenshtein's table: `byte` against the text."""
    diagonal = row[0]
    left = diagonal + 1
    row[0] = left
    for j in range(n):
        above = row[j + 1]
        replaced = diagonal if text[j] == byte else diagonal + 1
        left = min(min(left, above) + 1, replaced)
        diagonal = above
        row[j + 1] = left
