"""Give simrun the broken inputs of some seeds, and print what they came to.

python -m tests.campaign.broken_inputs 0:1000 [FILE.jsonl]     FILE keeps how each one ended
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.campaign.broken_inputs.figures import figures_of
from tests.campaign.broken_inputs.pool import run_all


def _kept(all_ended: Iterator[dict[str, Any]], path: Path) -> Iterator[dict[str, Any]]:
    with path.open("a", encoding="utf-8") as file:
        for ended in all_ended:
            file.write(json.dumps(ended) + "\n")
            file.flush()
            yield ended


def main() -> None:
    first, end = map(int, sys.argv[1].split(":"))
    all_ended = run_all(range(first, end))
    if len(sys.argv) > 2:
        all_ended = _kept(all_ended, Path(sys.argv[2]))
    for line in figures_of(all_ended).lines():
        print(line)


if __name__ == "__main__":
    main()
