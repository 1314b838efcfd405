#!/usr/bin/env bash
# Expected: an argument that takes certain words or a file completes to both, as the program
#   answers with both.
# Seen (click 8.3.0): the program does answer with the words and a mark that files may stand there; the script
#   that click makes for bash empties its list at that mark, so a word that comes before it is not offered,
#   and one that comes after it is.
# Why it matters: which words are offered hangs on the order of the answer, and nothing
#   says so. Our script for bash asks for the files itself.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet click==8.3.0

cat > "$folder/env/bin/app" <<PY
#!$folder/env/bin/python
import os

import click
from click.shell_completion import CompletionItem

ITEMS = [CompletionItem("alpha"), CompletionItem("", type="file"), CompletionItem("omega")]


@click.command()
@click.argument("what", shell_complete=lambda context, parameter, begun: ITEMS)
def app(what):
    pass


app(prog_name="app")
PY
chmod +x "$folder/env/bin/app"
export PATH="$folder/env/bin:$PATH"

{
    echo "the program: $(COMP_WORDS="app " COMP_CWORD=1 _APP_COMPLETE=bash_complete app | tr '\n' ' ')"
    _APP_COMPLETE=bash_source app > "$folder/script"
    # `compopt` has a meaning only while a shell completes; what the function leaves does not hang on it.
    bash -c 'compopt() { :; }; source "$1"; COMP_WORDS=(app ""); COMP_CWORD=1
        _app_completion app; echo "bash offers: ${COMPREPLY[*]}"' _ "$folder/script"
} | tee "$folder/seen"

diff "$folder/seen" - <<'SEEN'
the program: plain,alpha file, plain,omega 
bash offers: omega
SEEN
