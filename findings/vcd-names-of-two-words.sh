#!/usr/bin/env bash
# Expected: what a writer of value change dumps takes as the name of a scope its own reader reads back, or
#   the writer refuses it; a reader that knows no text variables says so.
# Seen (pyvcd 0.5.1, vcdvcd 2.6.0, pywellen 0.25.7): the writer of pyvcd takes "SM 0" and "SM 1" as names and
#   writes them as they are, though names end at a space in this format; its own reader refuses the file.
#   vcdvcd calls both scopes "SM", so that two signals have one name, and of a variable of type `string`, which
#   pyvcd writes, it has no change at all; it says neither. pywellen reads the texts, and spaces in them, which pyvcd writes as \x20
#   and its own reader leaves so.
# Why it matters: a dump that was written without an error, and is read without one, may have lost half of
#   its signals. Names are made one word before they are written, and dumps are judged by a third reader.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet pyvcd==0.5.1 vcdvcd==2.6.0 pywellen==0.25.7

cd "$folder"
"$folder/env/bin/python" - <<'PY' | tee "$folder/seen"
import io

import pywellen
import vcdvcd
from vcd import VCDWriter
from vcd.reader import VCDParseError, tokenize


def dump(between):
    text = io.StringIO()
    with VCDWriter(text, timescale="1 ns", date="") as writer:
        for number in range(2):
            count = writer.register_var(f"SM{between}{number}", "count", "integer", size=8, init=0)
            writer.change(count, 0, 0)
            if number:
                state = writer.register_var(f"SM{between}1", "state", "string", init="")
        writer.change(state, 3, "long scoreboard")
    return text.getvalue()


spaced, joined = dump(" "), dump("_")
print([line for line in spaced.splitlines() if "$scope" in line])
try:
    print(len([*tokenize(io.BytesIO(spaced.encode()))]))
except VCDParseError as error:
    print("its own reader:", error)
print("vcdvcd, two words:", sorted(vcdvcd.VCDVCD(vcd_string=spaced).signals))
read = vcdvcd.VCDVCD(vcd_string=joined)
print("vcdvcd, one word:", {name: len(read[name].tv) for name in sorted(read.signals)})
with open("joined.vcd", "w") as file:
    file.write(joined)
print("pywellen:", {v.full_name: v.signal.value_at(3) for v in pywellen.Waveform("joined.vcd").all_vars()})
own = [token.data.value for token in tokenize(io.BytesIO(joined.encode())) if hasattr(token.data, "value")]
print("its own reader:", own[-1])
PY

diff "$folder/seen" - <<'SEEN'
['$scope module SM 0 $end', '$scope module SM 1 $end']
its own reader: 2:19: Expected $end
vcdvcd, two words: ['SM.count', 'SM.count', 'SM.state']
vcdvcd, one word: {'SM_0.count': 1, 'SM_1.count': 1, 'SM_1.state': 0}
pywellen: {'SM_0.count': 0, 'SM_1.count': 0, 'SM_1.state': 'long scoreboard'}
its own reader: long\x20scoreboard
SEEN
