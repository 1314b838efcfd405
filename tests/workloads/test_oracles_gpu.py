"""The oracles of the GPU workloads give values worked out by hand, or by another algorithm."""

from __future__ import annotations

import numpy as np

from sim.oracles.registry import built_in

ORACLES = built_in()


def _bytes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode(), dtype=np.uint8)


def _ring(n: int) -> tuple[np.ndarray, np.ndarray]:
    """A ring of n vertices in compressed rows."""
    columns = [sorted([(v - 1) % n, (v + 1) % n]) for v in range(n)]
    return np.arange(n + 1) * 2, np.array(columns).ravel()


def test_byte_counts():
    counts = ORACLES["byte_counts"](_bytes("banana"))
    assert counts.shape == (256,)
    assert {chr(b): int(c) for b, c in enumerate(counts) if c} == {"a": 3, "b": 1, "n": 2}


def test_pattern_places_may_overlap():
    text, pattern = _bytes("anananas"), _bytes("ana")
    assert np.flatnonzero(ORACLES["pattern_places"](text, pattern)).tolist() == [0, 2, 4]
    assert ORACLES["pattern_count"](text, pattern).tolist() == [3]


def test_depths_on_a_ring():
    rows, columns = _ring(6)
    assert ORACLES["breadth_first_depth"](rows, columns, 2).tolist() == [2, 1, 0, 1, 2, 3]


def test_depth_of_what_is_not_reached():
    rows, columns = np.array([0, 1, 2, 2]), np.array([1, 0])
    assert ORACLES["breadth_first_depth"](rows, columns, 0).tolist() == [0, 1, -1]


def test_sparse_product():
    """[[2, 0, 1], [0, 0, 0], [0, 3, 0]] · [1, 10, 100]."""
    rows, columns = np.array([0, 2, 2, 3]), np.array([0, 2, 1])
    product = ORACLES["sparse_product"](
        rows, columns, np.array([2.0, 1, 3]), np.array([1.0, 10, 100])
    )
    assert product.tolist() == [102, 0, 30]


def test_gravity_of_two_bodies():
    """Two apart by 2 along x, masses 8 and 16: 8 / 4 and 16 / 4 towards each other."""
    bodies = np.array([[0, 0, 0, 8], [2, 0, 0, 16]], dtype=np.float32)
    assert ORACLES["gravity"](bodies, 0.0 + 1e-30).tolist() == [[4, 0, 0, 0], [-2, 0, 0, 0]]


def test_short_circuit_without_rounds_and_with_one():
    table = np.zeros(256, np.uint32)
    seeds = np.array([1], np.uint32)
    first = 1013904223
    assert ORACLES["short_circuit"](seeds, table, 0).tolist() == [first]
    # All entries are 0, so the condition fails: 0 is passed through the generator, twice in all.
    again = (first * 1664525 + 1013904223) % 2**32
    assert ORACLES["short_circuit"](seeds, table, 1).tolist() == [again]


def test_two_breaks_at_once():
    """Entries of 0 are multiples of 29: out by the first way, where the sum stays 0."""
    seeds, table = np.array([5], np.uint32), np.zeros(256, np.uint32)
    x = (5 * 1664525 + 1013904223) % 2**32
    assert ORACLES["two_breaks"](seeds, table, 4).tolist() == [x]
    table[:] = 1  # neither way: 1 ^ 8 = 9, + 1
    assert ORACLES["two_breaks"](seeds, table, 1).tolist() == [(10 * 7 + x) % 2**32]


def test_exception_in_the_first_round():
    """Entries of 0 are errors: the handler leaves a sum of 0, in round 0 and place 0."""
    seeds, table = np.array([5], np.uint32), np.zeros(256, np.uint32)
    assert ORACLES["exception"](seeds, table, 3, 4).tolist() == [0]


def test_programs_of_the_stack_machine():
    """PUSH 3, ADD, HALT; and DUP, ADD, LOOP 4, HALT, which thread i runs 1 + i % 7 times."""
    code = np.array([1, 3, 2, 0, 5, 2, 8, 4, 0], np.uint8)
    starts, seeds = np.array([0, 4]), np.array([10, 11, 20, 21], np.uint32)
    found = ORACLES["stack_programs"](code, starts, seeds, 50)
    assert found.tolist() == [13, 11 * 4, 23, 21 * 16]


def test_rays_through_the_middle_hit_the_ball():
    """The ray from (0, 0.5, -3) straight ahead is 2.25 from the ball of radius 0.75."""
    shape = (64, 64)
    steps = ORACLES["ray_march_steps"](np.zeros(shape, np.int32), 64)
    depths = ORACLES["ray_march_depths"](np.zeros(shape, np.float32), 64)
    assert (steps[32, 32], depths[32, 32]) == (1, 2.25)
    assert depths[0, 32] == -1, "upwards there is nothing"
    assert steps.max() == 64 and (depths[steps == 64] == -1).all()


def test_solution_by_hand():
    system = np.array([[1, 2], [3, 4]], np.float32)  # with 1 on its diagonal: 2 2, 3 5
    x = ORACLES["solution"](system, np.array([6, 13], np.float32), 1.0)
    assert np.allclose(x, [1, 2])


def test_heat_of_a_plate_by_hand():
    plate = np.zeros((4, 5), np.float32)
    plate[1, 2] = 8
    once = ORACLES["heat_of_plate"](plate, 0.25, 1)
    assert once[1:3].tolist() == [[0, 2, 0, 2, 0], [0, 0, 2, 0, 0]] and not once[[0, 3]].any()
    assert np.array_equal(ORACLES["heat_of_plate"](plate, 0.25, 0), plate)


def test_convolution_with_one_weight_moves_the_image():
    image = np.arange(12, dtype=np.float32).reshape(3, 4)
    weights = np.zeros((3, 3), np.float32)
    weights[2, 0] = 2  # below, to the left
    assert ORACLES["convolution"](image, weights).tolist() == [
        [0, 8, 10, 12], [0, 16, 18, 20], [0, 0, 0, 0],
    ]  # fmt: skip


def test_a_pasted_window():
    source = np.arange(40 * 64, dtype=np.float32).reshape(40, 64)
    result = ORACLES["pasted_window"](source, np.full((32, 48), -1.0), 400, 1e9, 2.0, 1.0)
    assert result[2, 42] == 2 * source[5, 7] + 1 and result[21, 3] == 2 * source[24, 46] + 1
    assert (result == -1).sum() == 32 * 48 - 20 * 40 and result[2:22, 3:43].min() == 400 + 255
