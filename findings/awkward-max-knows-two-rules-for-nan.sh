#!/usr/bin/env bash
# Expected: the largest number of a list with NaN is NaN (as in NumPy) or the largest of the rest, one of
#   them.
# Seen (awkward 2.14.0): both. `ak.max` of all is NaN, `ak.max` along the last axis passes NaN over, also
#   for an array of one row, and of a row of nothing but NaN it is -inf; `ak.argmax` then still names an
#   element (0), which is not -inf. `ak.sort` puts NaN first, ascending *and* descending.
# Why it matters: as a second opinion about functions of ragged rows it is one per spelling; state the rule
#   and compare rows without NaN only.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet awkward==2.14.0 awkward-cpp==57 numpy==2.4.6

"$folder/env/bin/python" - <<'PY' | tee "$folder/seen"
import awkward as ak
import numpy as np

nan = np.nan
rows = ak.Array([[1.0, nan, 3.0], [nan, nan]])
print("max", ak.max(rows[:1]), "max, axis=1", ak.max(rows, axis=1).to_list())
print("argmax, axis=1", ak.argmax(rows, axis=1).to_list())
print("ascending", ak.sort(rows[0]).to_list(), "descending", ak.sort(rows[0], ascending=False).to_list())
PY

diff "$folder/seen" - <<'SEEN'
max nan max, axis=1 [3.0, -inf]
argmax, axis=1 [2, 0]
ascending [nan, 1.0, 3.0] descending [nan, 3.0, 1.0]
SEEN
