#!/usr/bin/env bash
# Expected: a label on the line of a datum is the address of the datum.
# Seen (GNU as 2.40 for ia64): `data8` aligns itself, but the label before it is bound first: after one
#   byte, `wide: data8 …` puts the label at 1 and the number at 8; a load through the label reads padding.
#   `.align` in between, or `data8.ua`, which does not align, is what makes label and datum meet. Not a word
#   is said.
# Why it matters: a reader of IA-64 assembly that aligns the label together with its datum, the sensible
#   thing, lays out other addresses than the assembler of the system does.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet=2 -o APT::Sandbox::User=root binutils-ia64-linux-gnu=2.40-2
dpkg-deb -x binutils-ia64-linux-gnu_2.40-2_*.deb .
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu

cat > table.s <<'ASSEMBLY'
.data
byte:   data1 1
wide:   data8 0x1122334455667788
second: data1 2
packed: data8.ua 0x1122334455667788
ASSEMBLY
{
    usr/bin/ia64-linux-gnu-as -o table.o table.s 2>&1
    usr/bin/ia64-linux-gnu-nm -n table.o
    usr/bin/ia64-linux-gnu-objdump -s -j .data table.o | grep '^ 0'
} | tee seen

diff seen - <<'SEEN'
0000000000000000 d byte
0000000000000001 d wide
0000000000000010 d second
0000000000000011 d packed
 0000 01000000 00000000 88776655 44332211  .........wfUD3".
 0010 02887766 55443322 11                 ..wfUD3".       
SEEN
