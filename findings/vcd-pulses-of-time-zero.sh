#!/usr/bin/env bash
# Expected: a pulse (0, 1, 0 within one time) is in a waveform at any time, or at none.
# Seen (pyvcd 0.5.1): at time 5 all three changes are written, at time 0 only the last, for what happens
#   there goes into the initial dump; the pulse is gone. Times that are no integers are cut, so changes at
#   6.5 and 6.9 meet in #6. -1 and 255 of 8 bits are the same bits and are written as two changes.
# Why it matters: edges counted in a waveform are not those of the simulation; a writer of traces passes
#   integers of its smallest unit and does not count on changes of time 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet pyvcd==0.5.1

"$folder/env/bin/python" - <<'PY' | tee "$folder/seen"
import io

from vcd import VCDWriter

text = io.StringIO()
with VCDWriter(text, timescale="1 ns", date="") as writer:
    pulse = writer.register_var("core", "pulse", "wire", size=1, init=0)
    byte = writer.register_var("core", "byte", "integer", size=8, init=0)
    for time in 0, 5:
        for value in 0, 1, 0, 1, 0:
            writer.change(pulse, time, value)
    writer.change(pulse, 6.5, 1)
    writer.change(pulse, 6.9, 0)
    writer.change(byte, 7, -1)
    writer.change(byte, 8, 255)
print(text.getvalue().split("$enddefinitions $end\n")[1], end="")
PY

diff "$folder/seen" - <<'SEEN'
#0
$dumpvars
0!
b0 "
$end
#5
1!
0!
1!
0!
#6
1!
0!
#7
b11111111 "
#8
b11111111 "
SEEN
