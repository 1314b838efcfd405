"""Whatever a YAML file holds, it is read or refused with places; nothing else comes out."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from machines.description.strict_yaml import read_yaml
from machines.description.validation import validate
from machines.diagnostics import InputError
from machines.kinds.epic.fields import Latency

TEXT = st.text(alphabet="ab:{}[],-#&*!|>'\"% \n\t01.~?=e\\u\x00é", max_size=60)
SEED = "result: 1 cycle\nbypasses: {address: 2 cycles}\nwait: load\n"


def accepted(text, use):
    try:
        return use(read_yaml(text, "x.yaml"))
    except InputError as error:
        assert all(finding.location for finding in error.diagnostics)
        return None


@given(TEXT)
@settings(max_examples=400)
def test_any_text_is_read_or_refused(text):
    accepted(text, lambda node: json.dumps(node.plain()))


@given(st.data())
@settings(max_examples=300)
def test_any_edit_of_a_description_is_read_or_refused(data):
    start = data.draw(st.integers(0, len(SEED)))
    end = data.draw(st.integers(start, min(len(SEED), start + 8)))
    text = SEED[:start] + data.draw(TEXT.filter(lambda t: len(t) < 12)) + SEED[end:]
    found = accepted(text, lambda node: validate(Latency, node))
    assert found is None or found.result is None or found.result >= 0


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text("ab :#'\"\\-\n\t/é€𐀀"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc"), inner, max_size=3),
    max_leaves=8,
))  # fmt: skip
@settings(max_examples=200)
def test_what_is_written_as_json_is_read_back(value):
    assert read_yaml(json.dumps(value, ensure_ascii=False), "x.json").plain() == value
