"""Why something is not taken: said once where it is found, told of the node that it is about."""

from __future__ import annotations


class Refusal(Exception):
    """What a node wants cannot be had.

    kind   the reason in a few words, by which refusals are counted: 'element type', 'no row', …
    """

    def __init__(self, kind: str, text: str, hint: str | None = None):
        super().__init__(text)
        self.kind = kind
        self.text = text
        self.hint = hint


class Unbound(Refusal):
    """Something has to be known that an input of the model decides; `input` says which."""

    def __init__(self, text: str, input: str):
        hint = f"bind input '{input}': values: {{{input}: …}}"
        super().__init__("depends on data", text, hint)
        self.input = input
