#!/usr/bin/env bash
# Expected: `trial.suggest_int("x", low, high, step)` gives a number of that range, or raises.
# Seen (optuna 5.0.0): (1) a name used twice gives the first number again, whatever the second range says:
#   suggest_int("x", 500, 600) = a number below 100; (2) a trial that was enqueued with x = 77 gets 77 from
#   a range of 1 to 8, and one with x = 2.7 gets 2 from 1, 5, 9; (3) GridSampler with 9 in its grid gives 9
#   from a range of 1 to 4. Nothing is raised; at most a warning is given.
# Why it matters: a study must check what it was given against the axis it asked for, or it simulates
#   machines that nobody described.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet optuna==5.0.0

"$folder/env/bin/python" -W ignore - <<'PY' | tee "$folder/seen"
import optuna

optuna.logging.set_verbosity(optuna.logging.CRITICAL)
samplers = optuna.samplers


def asked(*ranges, sampler=None, enqueued=None):
    study = optuna.create_study(sampler=sampler or samplers.RandomSampler(seed=0))
    if enqueued is not None:
        study.enqueue_trial({"x": enqueued})
    trial = study.ask()
    return [trial.suggest_int("x", low, high, step=step) for low, high, step in ranges]


first, second = asked((1, 100, 1), (500, 600, 1))
print("second of one name:", second == first, 500 <= second <= 600)
print("enqueued 77, asked 1 to 8:", asked((1, 8, 1), enqueued=77))
print("enqueued 2.7, asked 1, 5, 9:", asked((1, 9, 4), enqueued=2.7))
print("grid of 9, asked 1 to 4:", asked((1, 4, 1), sampler=samplers.GridSampler({"x": [9]})))
PY

diff "$folder/seen" - <<'SEEN'
second of one name: True False
enqueued 77, asked 1 to 8: [77]
enqueued 2.7, asked 1, 5, 9: [2]
grid of 9, asked 1 to 4: [9]
SEEN
