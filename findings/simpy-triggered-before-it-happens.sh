#!/usr/bin/env bash
# Expected: `event.triggered` says that an event has happened; `a | b` at its time holds the one that came
#   first.
# Seen (simpy 4.1.2): a Timeout is `triggered` from the moment it is made, five units early: the word means
#   scheduled (`processed` is the other one). Of two timeouts that end together `a | b` holds both, though
#   it is a that fired it; made after a has ended, and so true already, it holds b as well, which ends at
#   this time.
# Why it matters: a model that asks `triggered` to see whether data has arrived is early by the whole
#   latency; "which came first" cannot be read from a condition's value, for what ends together is in it
#   together.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet simpy==4.1.2

"$folder/env/bin/python" - <<'PY' | tee "$folder/seen"
import simpy

env = simpy.Environment()


def model():
    slow = env.timeout(5)
    print("at", env.now, "triggered", slow.triggered, "processed", slow.processed)
    yield slow
    print("at", env.now, "triggered", slow.triggered, "processed", slow.processed)
    a, b = env.timeout(1, "a"), env.timeout(1, "b")
    print("made before:", list((yield a | b).values()))
    a, b = env.timeout(1, "a"), env.timeout(1, "b")
    yield a
    print("made after a:", list((yield a | b).values()), "now", env.now)


env.process(model())
env.run()
PY

diff "$folder/seen" - <<'SEEN'
at 0 triggered True processed False
at 5 triggered True processed True
made before: ['a', 'b']
made after a: ['a', 'b'] now 7
SEEN
