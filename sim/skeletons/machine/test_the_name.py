"""The machine can be read, and differs from its base in what its file says."""

from pathlib import Path

import sim

HERE = Path(__file__).parent


def test_it_differs_in_its_clock_alone():
    base = sim.load_machine("the_base")
    machine = sim.load_machine(HERE / "the_name.yaml")
    assert machine.description.clock == 1_234_000_000
    figures = [{f.path: f.value for f in one.fields()} for one in (base, machine)]
    moved = {path for path in figures[0] if figures[0][path] != figures[1][path]}
    assert moved <= {"clock", "name", "title"}
