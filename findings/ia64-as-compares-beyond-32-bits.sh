#!/usr/bin/env bash
# Expected: the immediate of a compare of 32 bits is a number of at most 32 bits.
# Seen (GNU as 2.40 for ia64): `cmp4.leu 0x100000000, r` is taken, and right: there is no "less or equal" in
#   the machine, it becomes `cmp4.ltu` of one less, and 2^32 <= r is false as 0xffffffff < r is. The other
#   end is refused: `cmp4.leu 0, r`, which is always true, would need -1 less. So of the two constant
#   compares the one beyond the type can be written and the one within cannot; and the range of signed
#   immediates of `le` and `gt` is -127 to 128, that of `lt` and `ge` -128 to 127.
# Why it matters: ranges belong to the pseudo-operation, not to the field that holds the number; a reader
#   with one range for all forms refuses valid programs at one end and cuts numbers at the other.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet=2 -o APT::Sandbox::User=root binutils-ia64-linux-gnu=2.40-2
dpkg-deb -x binutils-ia64-linux-gnu_2.40-2_*.deb .
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu

for compare in cmp4.leu:0x100000000 cmp4.leu:0 cmp4.ltu:0x100000000 cmp4.ltu:0 \
    cmp.le:128 cmp.le:-128 cmp.lt:128 cmp.lt:-128; do
    written="${compare%:*} p6, p7 = ${compare#*:}, r9"
    printf '.text\n%s\n' "$written" > one.s
    if usr/bin/ia64-linux-gnu-as -o one.o one.s 2> said; then
        echo "$written => $(usr/bin/ia64-linux-gnu-objdump -d one.o | grep -o 'cmp.*r9')"
    else
        echo "$written => refused"
    fi
done | tee seen

diff seen - <<'SEEN'
cmp4.leu p6, p7 = 0x100000000, r9 => cmp4.ltu p6,p7=-1,r9
cmp4.leu p6, p7 = 0, r9 => refused
cmp4.ltu p6, p7 = 0x100000000, r9 => refused
cmp4.ltu p6, p7 = 0, r9 => cmp4.ltu p6,p7=0,r9
cmp.le p6, p7 = 128, r9 => cmp.lt p6,p7=127,r9
cmp.le p6, p7 = -128, r9 => refused
cmp.lt p6, p7 = 128, r9 => refused
cmp.lt p6, p7 = -128, r9 => cmp.lt p6,p7=-128,r9
SEEN
