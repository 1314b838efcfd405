"""The count of feature pairs, against pairs counted by hand."""

from __future__ import annotations

import pytest

from tests.campaign.feature_pairs import FIRST_SEED, WANTED, FeaturePairs, pairs_of


def test_pairs_are_those_of_one_program():
    pairs = FeaturePairs("abcd", {("d", "a"): "it is forbidden"})
    pairs.record({"a", "b"})
    pairs.record(["c", "b"])
    assert pairs.possible == [("a", "b"), ("a", "c"), ("b", "c"), ("b", "d"), ("c", "d")]
    assert pairs.missing == [("a", "c"), ("b", "d"), ("c", "d")]
    assert pairs.share == 2 / 5
    table = pairs.table()
    assert "2 programs execute 2 of 5 possible pairs (40.0 %)" in table
    assert "missing: a + c" in table
    assert "impossible, as it is forbidden (1): a + d" in table


def test_an_impossible_pair_that_is_executed_is_an_error():
    pairs = FeaturePairs("abc", {("c", "a"): "it is forbidden"})
    with pytest.raises(ValueError, match="declared impossible"):
        pairs.record({"a", "c"})


KINDS = ("ir", "kernels", "simt_rows")


@pytest.mark.campaign
@pytest.mark.parametrize("what", KINDS)
def test_the_programs_of_a_campaign_execute_nearly_all(what):
    pairs = pairs_of(what, range(FIRST_SEED, FIRST_SEED + 1500))
    assert pairs.share >= WANTED, pairs.table()
