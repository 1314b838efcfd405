"""The report, found as simrun finds it, of a run."""

import io
from pathlib import Path

import sim
from sim.reports.output import find_report

WORKLOAD = Path(__file__).with_name("workload.yaml")


def test_a_row_of_a_run():
    result, written = sim.run(WORKLOAD), io.StringIO()
    find_report("the_name").write([result], written, several=False)
    _, _, row = written.getvalue().splitlines()
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[1] == str(result.cycles) and cells[3] == "right"
