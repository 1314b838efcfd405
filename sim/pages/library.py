"""The library that draws: Vega, Vega-Lite and Vega-Embed in one script, from `vl-convert-python`.

It makes SVG of plain data (a specification in JSON), is kept up by its university, BSD-3-Clause,
and comes by PyPI without a network at the time that a page is written.  What was weighed against
it stands in README.md.
"""

from __future__ import annotations

from machines.cache.cache_folder import cache_folder
from machines.cache.files import write_atomically
from machines.optional import optional

EXTRA = "page"
NOTICE = """\
Vega, Vega-Lite, Vega-Embed, Vega-Tooltip: Copyright (c) 2013-2023 University of Washington
Interactive Data Lab and contributors, BSD-3-Clause. With them in this script: parts of D3
(Copyright 2010-2023 Mike Bostock, ISC), TopoJSON (ISC), fast-json-patch and json-stringify-pretty-
compact (MIT), semver (ISC). Their licenses: https://github.com/vega/vega and the repositories named
there."""


def check_library() -> None:
    """Raise InputError, with the way to have it, where the library is not installed."""
    optional("vl_convert", EXTRA)


def script() -> str:
    """The text of the script; making it takes seconds, so that it is kept for the next page.

    Raises InputError where the library is not installed.
    """
    found = optional("vl_convert", EXTRA)
    version = "-".join((found.__version__, found.get_vega_version()))
    path = cache_folder() / f"vega-{version}.js"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        text = ""
    if not text.endswith(END):
        text = f"/*\n{NOTICE}\n*/\n{found.javascript_bundle()}\n{END}"
        write_atomically(path, text)
    return text


END = "/* end of the library */\n"
"""By which a file that was kept is known to be whole."""
