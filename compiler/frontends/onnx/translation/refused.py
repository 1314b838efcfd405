"""Operators that are not taken, by reason: said of a node that has no row."""

from __future__ import annotations

_REASONS = {
    "training": ("Adagrad", "Adam", "Gradient", "Momentum"),
    "random numbers": (
        "Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform",
        "RandomUniformLike",
    ),
    "control flow": ("If", "Loop", "Scan", "SequenceMap"),
    "sequences and optionals": (
        "ConcatFromSequence", "Optional", "OptionalGetElement", "OptionalHasElement", "SequenceAt",
        "SequenceConstruct", "SequenceEmpty", "SequenceErase", "SequenceInsert", "SequenceLength",
        "SplitToSequence",
    ),
    "strings": (
        "LabelEncoder", "RegexFullMatch", "StringConcat", "StringNormalizer", "StringSplit",
    ),
    "shapes that data decide": ("Compress", "NonMaxSuppression", "NonZero", "Unique"),
    "decoding of files": ("ImageDecoder",),
}  # fmt: skip
_SENTENCES = {
    "training": "networks are not trained here",
    "random numbers": "nothing is random here",
    "control flow": "what is done would depend on data",
    "sequences and optionals": "there are tensors only",
    "strings": "there are no strings",
    "shapes that data decide": "the shape of its result would depend on data",
    "decoding of files": "that is done before a network runs",
}
REASONS: dict[str, str] = {name: reason for reason, names in _REASONS.items() for name in names}


def reason_of(operator: str) -> tuple[str, str]:
    """The kind of a refusal, and a sentence."""
    reason = REASONS.get(operator)
    if reason is None:
        return "no row", "it is in no row of the table (simrun list operators)"
    return reason, _SENTENCES[reason]
