#!/usr/bin/env bash
# Expected: an instruction that the architecture defines as an Illegal Operation fault is an error of the
#   assembler, as one that cannot be encoded is.
# Seen (GNU as 2.40 for ia64): a load that writes its own base, a write to r0 or f1, a pair of floating
#   loads with two even registers and a compare with one predicate twice are warnings; the exit code is 0
#   and the object holds them, so only the machine says so. A rotating predicated loop branch, beside them,
#   is an error.
# Why it matters: "the assembler took it" is not evidence that a program is legal; a judge has to look at
#   what it said as well.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet=2 -o APT::Sandbox::User=root binutils-ia64-linux-gnu=2.40-2
dpkg-deb -x binutils-ia64-linux-gnu_2.40-2_*.deb .
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu

while IFS= read -r instruction; do
    printf '.text\nstart: %s\n' "$instruction" > one.s
    said=$(usr/bin/ia64-linux-gnu-as -o one.o one.s 2>&1) && exit_code=0 || exit_code=$?
    echo "$instruction => exit $exit_code, $(grep -o -E '(Warning|Error): .*' <<< "$said")"
done <<'CASES' | tee seen
ld8 r8 = [r8], 8
mov r0 = 5
fadd f1 = f2, f3
ldfpd f8, f10 = [r9]
cmp.eq p6, p6 = r8, r9
(p16) br.ctop.sptk start
CASES

diff seen - <<'SEEN'
ld8 r8 = [r8], 8 => exit 0, Warning: Invalid duplicate use of `r8'
mov r0 = 5 => exit 0, Warning: Invalid use of `r0' as output operand
fadd f1 = f2, f3 => exit 0, Warning: Invalid use of `f1' as output operand
ldfpd f8, f10 = [r9] => exit 0, Warning: Invalid simultaneous use of `f8' and `f10'
cmp.eq p6, p6 = r8, r9 => exit 0, Warning: Invalid duplicate use of `p6'
(p16) br.ctop.sptk start => exit 1, Error: `br.ctop.sptk' cannot be predicated
SEEN
