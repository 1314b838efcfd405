#!/usr/bin/env bash
# Expected: the strict reader of LLVM's text refuses a literal that its type does not hold, as it refuses
#   the float literal 0.1 (which no binary32 is); and 0x10 is sixteen.
# Seen (llvmlite 0.50.0, LLVM 22.1): `i8 256` is read as 0, `i8 -129` as 127, `i1 -1` as true, without a
#   word; `1.0e400` becomes infinity. 0x10 is no integer at all but the bits of a double, 7.9e-323;
#   hexadecimal integers are written `u0x` and `s0x`, where s0xFF is -1 in i16, and s0x0FF is, too: zeros in
#   front are dropped before the sign is looked at.
# Why it matters: another reader that says "out of range" is stricter than LLVM, one that reads s0x0FF as
#   255 is wrong; and text with a cut literal passes LLVM's verifier, so it is no judge of it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet llvmlite==0.50.0

"$folder/env/bin/python" - <<'PY' | tee "$folder/seen"
import llvmlite.binding as llvm

print("LLVM", *llvm.llvm_version_info)
for literal in (
    "i8 256", "i8 -129", "i1 -1", "i16 u0xFF", "i16 s0xFF", "i16 s0x0FF", "i32 0x10",
    "double 0x10", "double 1.0e400", "float 0.1", "float 0.5",
):
    try:
        module = llvm.parse_assembly(f"define {literal.split()[0]} @f() {{\n  ret {literal}\n}}")
        module.verify()
        read = next(line for line in str(module).splitlines() if "ret " in line)
        print(f"{literal} => {read.strip().removeprefix('ret ')}")
    except RuntimeError as error:
        print(f"{literal} => {str(error).splitlines()[1].split('error: ')[1]}")
PY

diff "$folder/seen" - <<'SEEN'
LLVM 22 1 0
i8 256 => i8 0
i8 -129 => i8 127
i1 -1 => i1 true
i16 u0xFF => i16 255
i16 s0xFF => i16 -1
i16 s0x0FF => i16 -1
i32 0x10 => floating point constant invalid for type
double 0x10 => double 7.905050e-323
double 1.0e400 => double 0x7FF0000000000000
float 0.1 => floating point constant invalid for type
float 0.5 => float 5.000000e-01
SEEN
