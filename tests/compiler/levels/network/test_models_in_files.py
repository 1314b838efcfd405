"""Networks of a `.net` file that stand in files of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

import sim
from compiler.levels.network.parsing import parse_networks
from compiler.levels.network.programs import parse
from machines.diagnostics import InputError

MODELS = Path(sim.__file__).parents[1] / "workloads/networks/models"
BERT = f'network @text = "{MODELS}/bert_layer.onnx" {{batch: 1, sequence: 8}}\n'
OWN = "network @own(x: f32[8]) -> (y: f32[8]) {\n y = nn.exp(x)\n return y = y\n}\n"


def test_a_model_and_a_network_in_one_file(tmp_path):
    functions = parse(BERT + OWN, str(tmp_path / "two.net")).functions
    assert [*functions] == ["text", "own"]
    assert functions["text"].body.types["hidden"].shape == (1, 8, 32)
    assert functions["text"].location.line == 1


def test_files_stand_beside_the_text(tmp_path):
    (tmp_path / "model.onnx").write_bytes((MODELS / "cnn_qdq.onnx").read_bytes())
    module = parse('network @a = "model.onnx"\n', str(tmp_path / "one.net"))
    assert module.entry == "a" and module.functions["a"].body.nodes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('network @a = "none.onnx"', r"two\.net:1:14: error: .*none\.onnx"),
        ('network @a = "model.pb"', r"two\.net:1:14: error: model\.pb is no model"),
        ('network @a = "two.net"', "two.net is no model"),
        (BERT.replace("8}", "8, what: 3}"), "what"),
        (BERT.replace(", sequence: 8", ""), "sequence"),
        (BERT.replace("sequence: 8", "sequence: 0"), "'sequence' is a number from 1 on, not 0"),
        (BERT.replace(": 8}", " 8}"), "expected ':'"),
        (BERT + BERT, "there is a network 'text' already"),
        ("network @a = 3", "expected a text in quotes"),
    ],
)
def test_what_is_wrong_is_told(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        parse(text, str(tmp_path / "two.net"))


def test_a_text_alone_names_no_files():
    with pytest.raises(InputError, match="are read from files alone"):
        parse_networks(BERT)
