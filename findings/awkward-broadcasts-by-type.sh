#!/usr/bin/env bash
# Expected: [[1, 2], [3, 4]] + [10, 20] is the same sum whatever the arrays were made of.
# Seen (awkward 2.14.0): made of lists it is [[11, 12], [23, 24]] (a number for each row), made of a NumPy
#   array [[11, 22], [13, 24]] (a number for each column): variable-length rows are broadcast from the left,
#   regular ones from the right. `ak.to_regular` of equal content moves a program from one sum to the other,
#   and for a square array no error tells.
# Why it matters: results depend on how data arrived; a function over ragged rows has to be checked with a
#   number of rows that differs from their length.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet awkward==2.14.0 awkward-cpp==57 numpy==2.4.6

"$folder/env/bin/python" - <<'PY' | tee "$folder/seen"
import awkward as ak
import numpy as np

ragged = ak.Array([[1, 2], [3, 4]])
regular = ak.Array(np.array([[1, 2], [3, 4]]))
added = np.array([10, 20])
print("equal content:", ragged.to_list() == regular.to_list())
for rows in ragged, regular, ak.to_regular(ragged):
    print(rows.type, "+", added, "=", (rows + added).to_list())
PY

diff "$folder/seen" - <<'SEEN'
equal content: True
2 * var * int64 + [10 20] = [[11, 12], [23, 24]]
2 * 2 * int64 + [10 20] = [[11, 22], [13, 24]]
2 * 2 * int64 + [10 20] = [[11, 22], [13, 24]]
SEEN
