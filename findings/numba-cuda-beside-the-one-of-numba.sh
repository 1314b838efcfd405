#!/usr/bin/env bash
# Expected: where numba-cuda can be imported, `numba.cuda` is numba-cuda, or nothing.
# Seen (numba-cuda 0.30.4 beside numba 0.68.1): Numba has a CUDA target of its own under the same name, and
#   numba-cuda takes its place by a .pth file, which Python reads in site-packages alone. In a folder of
#   `pip install --target` on PYTHONPATH the import gives the older target without a word: it compiles other
#   code for other versions of PTX, and asks for a driver where the newer one does not.
# Why it matters: which of two compilers an import means depends on how a folder came to be on the path; a
#   tool that compiles by one looks at where it came from.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --target="$folder/there" numba-cuda==0.30.4 numba==0.68.1 \
    llvmlite==0.50.0 numpy==2.4.6 cuda-core==1.2.2 cuda-bindings==13.5.0

cat > "$folder/which.py" <<'PY'
import numba_cuda
from numba import cuda

print("numba_cuda is there:", numba_cuda.__version__)
print("numba.cuda is", "numba-cuda" if "numba_cuda" in cuda.__file__ else "of Numba itself")
PY
{
    echo "by PYTHONPATH:"
    PYTHONPATH="$folder/there" "$folder/env/bin/python" -W ignore "$folder/which.py"
    echo "as a site:"
    echo "import site; site.addsitedir('$folder/there')" \
        > "$folder/env/lib/$(ls "$folder/env/lib")/site-packages/there.pth"
    "$folder/env/bin/python" -W ignore "$folder/which.py"
} | tee "$folder/seen"

diff "$folder/seen" - <<'SEEN'
by PYTHONPATH:
numba_cuda is there: 0.30.4
numba.cuda is of Numba itself
as a site:
numba_cuda is there: 0.30.4
numba.cuda is numba-cuda
SEEN
