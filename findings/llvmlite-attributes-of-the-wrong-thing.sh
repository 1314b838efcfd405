#!/usr/bin/env bash
# Expected: `function.add_function_attribute("cold")` on a function makes the function cold.
# Seen (llvmlite 0.47.0, LLVM 20.1): it makes the *return value* cold, `define cold i32 @f`, and the module
#   no longer verifies. Nothing is raised where it happens. With llvmlite 0.50.0 (LLVM 22.1) the same call
#   does what its name says.
# Why it matters: a compiler that supports several releases must write attributes into the text it parses,
#   not through this call; an error of the verifier names a function that is right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat > "$folder/attribute.py" <<'PY'
import llvmlite.binding as llvm

print("LLVM", *llvm.llvm_version_info)
module = llvm.parse_assembly("define i32 @f() {\n  ret i32 1\n}\n")
module.get_function("f").add_function_attribute("cold")
print(next(line for line in str(module).splitlines() if line.startswith("define")))
print(next((line for line in str(module).splitlines() if line.startswith("attributes")), "no attributes"))
try:
    module.verify()
    print("verified")
except RuntimeError as error:
    print(str(error).splitlines()[0])
PY
for release in 0.47.0 0.50.0; do
    python3 -m venv --clear "$folder/env"
    "$folder/env/bin/pip" install --quiet "llvmlite==$release"
    echo "llvmlite $release"
    "$folder/env/bin/python" "$folder/attribute.py"
done | tee "$folder/seen"

diff "$folder/seen" - <<'SEEN'
llvmlite 0.47.0
LLVM 20 1 8
define cold i32 @f() {
no attributes
Attribute 'cold' does not apply to function return values
llvmlite 0.50.0
LLVM 22 1 0
define i32 @f() #0 {
attributes #0 = { cold }
verified
SEEN
