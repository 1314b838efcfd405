"""Report `the_name`: a table in Markdown, a row a run, a column a figure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from sim.results.result import Result


class TheName:
    """Writes the rows as the runs end."""

    name = "the_name"
    sentence = "a table in Markdown, a row a run"

    def write(self, results: Iterable[Result], stream: TextIO, *, several: bool) -> None:
        """Write the results; not `several`: there will be one."""
        stream.write("| run | cycles | most cycles go to | outputs |\n| --- | ---: | --- | --- |\n")
        for result in results:
            reason = max(result.breakdown, key=lambda name: result.breakdown[name])
            cells = [result.title, str(result.cycles), reason, "right" if result.ok else "WRONG"]
            stream.write(f"| {' | '.join(cells)} |\n")


REPORT = TheName()
