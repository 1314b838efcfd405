#!/usr/bin/env bash
# Expected: numba gives for -2**63 // -1, which int64 does not hold, what NumPy gives (-2**63, with a
#   warning), or an error.
# Seen (numba 0.68.1): 0. The machine's division would trap, so numba catches the case; it answers with 0 as
#   the quotient, too. int32 is widened first, so the same line with np.int32 is right (2147483648); and
#   shifts by the width or more give what the processor leaves, 1 << 64 is 1 where NumPy says 0.
# Why it matters: a simulator whose interpreter is NumPy and whose core is numba has two answers for one
#   row; the case needs to be written out in the row's meaning, and tested at the edge.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet numba==0.68.1 numpy==2.4.6

"$folder/env/bin/python" -W ignore - <<'PY' | tee "$folder/seen"
import numba
import numpy as np


def divide(a, b):
    return a // b


def remainder(a, b):
    return a % b


def shift(a, b):
    return a << b


for function, a, b in (
    (divide, np.int64(-(2**63)), np.int64(-1)),
    (remainder, np.int64(-(2**63)), np.int64(-1)),
    (divide, np.int32(-(2**31)), np.int32(-1)),
    (shift, np.int64(1), np.int64(64)),
):
    arrays = np.array([a]), np.array([b])
    print(function.__name__, a, b, "numba", numba.njit(function)(a, b), "NumPy", function(*arrays)[0])
PY

diff "$folder/seen" - <<'SEEN'
divide -9223372036854775808 -1 numba 0 NumPy -9223372036854775808
remainder -9223372036854775808 -1 numba 0 NumPy 0
divide -2147483648 -1 numba 2147483648 NumPy -2147483648
shift 1 64 numba 1 NumPy 0
SEEN
