"""Parallel copies in sequence: every small case against what 'parallel' means."""

from __future__ import annotations

from itertools import product

from compiler.rewriting.parallel_copies import in_sequence

NAMES = ("a", "b", "c", "d")


def cycles(copies: dict) -> int:
    """Cycles whose values nobody outside the cycle takes a copy of."""
    found = 0
    for start in copies:
        path = [start]
        while isinstance(copies.get(path[-1]), str) and copies[path[-1]] not in path:
            path.append(copies[path[-1]])
        is_cycle = copies.get(path[-1]) == start and len(path) > 1 and start == min(path)
        copied_out = any(s in path for d, s in copies.items() if d not in path)
        found += is_cycle and not copied_out
    return found


def test_every_parallel_copy_of_four_names():
    for sources in product((None, 7, *NAMES, "e"), repeat=len(NAMES)):
        copies = {d: s for d, s in zip(NAMES, sources, strict=True) if s is not None}
        temporaries: list[str] = []

        def temporary(name: str, made: list[str] = temporaries) -> str:
            made.append(f"{name}.1")
            return made[-1]

        values = {name: f"old {name}" for name in (*NAMES, "e")}
        expected = values | {d: values.get(s, s) for d, s in copies.items()}
        done = in_sequence(copies, temporary)
        for destination, source in done:
            values[destination] = values.get(source, source)
        assert {name: values[name] for name in expected} == expected
        assert len(temporaries) == cycles(copies)
        moves = sum(d != s for d, s in copies.items())
        assert len(done) == moves + len(temporaries)


def test_a_source_is_read_where_it_stands_as_long_as_it_stands():
    assert in_sequence({"b": "a", "c": "a", "a": 1}, str) == [("b", "a"), ("c", "a"), ("a", 1)]
