"""Meanings of all families are written in one vocabulary: a word has one meaning."""

from __future__ import annotations

from itertools import combinations

import pytest

from machines.vocabulary import lanes, numbers, tensor_cores, tensors

VOCABULARIES = (numbers, lanes, tensors, tensor_cores)


@pytest.mark.parametrize("pair", list(combinations(VOCABULARIES, 2)))
def test_no_word_stands_in_two(pair):
    one, other = (module.VOCABULARY for module in pair)
    assert [word for word in one if word in other and one[word] is not other[word]] == []
