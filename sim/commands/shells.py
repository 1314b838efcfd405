"""How shells ask what may stand at a place of a line, and take the answer.

click brings the scripts and the protocol (`_SIMRUN_COMPLETE`).  Two things are other here.  bash
breaks words at `=` and `:`, so it is asked by the line as it is written, and gets what comes behind
the break.  And where words and files may stand, bash gets both (click's script forgets the words),
without a space behind `=`, `,` and `/`, as more has to follow there.
"""

from __future__ import annotations

import os

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

BREAKS = "=:"
"""At which bash breaks words beside blanks, of what stands in ours."""

BASH = """\
%(complete_func)s() {
    local IFS=$'\\n' type value file
    local asked=(COMP_LINE="$COMP_LINE" COMP_POINT="$COMP_POINT" %(complete_var)s=bash_complete)
    COMPREPLY=()
    for completion in $(env "${asked[@]}" $1 2>/dev/null); do
        IFS=',' read -r type value <<< "$completion"
        if [[ $type == 'file' ]]; then
            for file in $(compgen -f -- "$value"); do
                [[ -d $file ]] && file=$file/
                COMPREPLY+=("$(printf '%%q' "$file")")
            done
        else
            COMPREPLY+=("$value")
        fi
    done
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=,/] ]]; then
        compopt -o nospace 2>/dev/null
    fi
    return 0
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""
OPEN = """\
    local -a open_words
    open_words=(${(M)completions:#*=})
    completions=(${completions:#*=})
    if [ -n "$open_words" ]; then
        compadd -U -S '' -V unsorted -a open_words
    fi

    if [ -n "$completions" ]; then
"""
"""For zsh: no blank behind words that end in `=`."""


class Bash(BashComplete):
    """bash, asked by its line."""

    source_template = BASH

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the cursor, and what stands of the last one."""
        if "COMP_LINE" not in os.environ:
            return super().get_completion_args()
        # The cursor is counted in bytes.
        line = os.fsencode(os.environ["COMP_LINE"])[: int(os.environ["COMP_POINT"])]
        text = os.fsdecode(line)
        words = split_arg_string(text)[1:]
        if not words or text[-1].isspace():
            return words, ""
        return words[:-1], words[-1]

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """Without what bash holds for words of their own."""
        items = super().get_completions(args, incomplete)
        if "COMP_LINE" not in os.environ:
            return items
        behind = 1 + max(incomplete.rfind(sign) for sign in BREAKS)
        for item in items:
            if item.value.startswith(incomplete[:behind]):
                item.value = item.value[behind:]
        return items


class Zsh(ZshComplete):
    """zsh, with words that go on."""

    source_template = ZshComplete.source_template.replace(
        '    if [ -n "$completions" ]; then\n', OPEN
    )

    def format_completion(self, item: CompletionItem) -> str:
        """A word that goes on is told without its sentence, as zsh puts a blank behind it else."""
        if item.value.endswith("="):
            item = CompletionItem(item.value, type=item.type)
        return super().format_completion(item)


def set_up() -> None:
    """Let click use these."""
    add_completion_class(Bash)
    add_completion_class(Zsh)
