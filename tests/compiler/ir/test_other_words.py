"""Random tile programs in other words are the same programs."""

from __future__ import annotations

import re

import pytest

from compiler.text_form import parse, print_module
from tests.campaign.seeds import short_form
from tests.programs.random_tiles import generate
from tests.programs.sugared_tiles import in_other_words
from tests.programs.tile_runs import machine_named


def plain(text: str) -> str:
    """A program as it is printed, with the names that it makes itself by number."""
    module = parse(text)
    printed = print_module(module)
    assert print_module(parse(printed)) == printed
    return re.sub(r"\$\d+", "$", printed)


@pytest.mark.parametrize("seed", short_form(range(400), 4))
def test_other_words(seed):
    machine = machine_named(("teaching_chip", "mlu370")[seed % 2])
    text = generate(seed, machine).text
    assert plain(in_other_words(text, seed)) == plain(text)
