#!/usr/bin/env bash
# Expected: casting NaN to a float type gives NaN, or the largest number where the type has none; zero stays
#   zero.
# Seen (ml_dtypes 0.6.0): NaN becomes -0.0 in the types of 4 and 6 bits, while infinity becomes the largest
#   number; so a NaN that spread through a network is gone after quantization, and 1 / x is -inf. In
#   float8_e8m0fnu (the exponents of block-scaled types) it is zero that becomes NaN, and 1.5, a tie,
#   becomes 2.
# Why it matters: a simulator of a chip with these types chooses; whichever it chooses, a comparison with
#   these casts must leave NaN out, and a scale of zero is none.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet ml-dtypes==0.6.0 numpy==2.4.6

"$folder/env/bin/python" -W ignore - <<'PY' | tee "$folder/seen"
import ml_dtypes
import numpy as np

x = np.array([np.nan, np.inf, 0.0, 1.5], np.float32)
print("float32", *x)
for name in "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn", "float8_e4m3fn", "float8_e8m0fnu":
    cast = x.astype(getattr(ml_dtypes, name))
    print(name, *cast, cast.view(np.uint8))
PY

diff "$folder/seen" - <<'SEEN'
float32 nan inf 0.0 1.5
float4_e2m1fn -0 6 0 1.5 [8 7 0 3]
float6_e2m3fn -0 7.5 0 1.5 [32 31  0 12]
float6_e3m2fn -0 28 0 1.5 [32 31  0 14]
float8_e4m3fn nan nan 0 1.5 [127 127   0  60]
float8_e8m0fnu nan nan nan 2 [255 255 255 128]
SEEN
