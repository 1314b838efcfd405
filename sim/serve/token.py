"""The token that server and client share: a file's one word, or the environment's."""

from __future__ import annotations

import os
from pathlib import Path

from machines.diagnostics import input_error
from machines.reading import read_text

VARIABLE = "SIMRUN_TOKEN"
LEAST, MOST = 16, 256
"""Characters."""


def find_token(file: Path | None) -> str | None:
    """The token of a file, else of the environment, which then has it no more; None if there is
    none.  Raises InputError if it can be no token."""
    inherited = os.environ.pop(VARIABLE, None)  # what is started from here need not know it
    if file is None and inherited is None:
        return None
    text = inherited if file is None else read_text(file, most=4096)
    where, word = VARIABLE if file is None else str(file), (text or "").strip()
    if not LEAST <= len(word) <= MOST or not all("!" <= one <= "~" for one in word):
        message = f"{where}: a token is one word of {LEAST} to {MOST} ASCII characters"
        raise input_error(message, hint="openssl rand -hex 32")
    return word
