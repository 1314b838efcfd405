"""The script that runs C programs of other people: it tells right from wrong, and says why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.c_programs import Settings, first_difference, judge, programs
from tests.compiler.frontends.llvm_native import needs_clang

RIGHT = r"""
#include <stdio.h>
struct node { struct node *next; int value; } nodes[3];
char bytes[32];
volatile int seed = 5;
int table(int k, int nodes) { return "\\AB"[k] + nodes; }
int main(void) {
    for (int k = 0; k < 3; k++)
        nodes[k] = (struct node){k < 2 ? &nodes[k + 1] : 0, seed * k};
    *(struct node **)(bytes + 8) = &nodes[1];
    printf("%d\n", table(1, 0));
    return nodes[0].next->value;
}
"""
LONG = "int main(int n, char **v) { long double a = n; return a * a * 3; }\n"
CAST = "char bytes[16];\nint main(void) { *(volatile int *)(bytes + 1) = 7; return bytes[1]; }\n"


def run(folder: Path, text: str, *overrides: str) -> tuple[str, str]:
    (folder / "program").mkdir()
    (folder / "program" / "main.c").write_text(text)
    [found] = programs(folder)
    verdict = judge(found, Settings(overrides=list(overrides)))
    return verdict.verdict, verdict.detail


@needs_clang
@pytest.mark.parametrize(
    ("text", "overrides", "verdict", "detail"),
    [(RIGHT, (), "right", "3 globals"),
     pytest.param(
         LONG, (), "refused", "the type x86_fp80 is not supported", marks=pytest.mark.campaign
     ),
     ("int main(void) { return x; }", (), "not compiled", "undeclared"),
     pytest.param(CAST, (), "fault", "misaligned at", marks=pytest.mark.campaign),
     pytest.param(
         CAST, ("memory.misaligned=9 cycles",), "right", "1 globals", marks=pytest.mark.campaign
     )],
    ids=("right", "refused", "not C", "misaligned", "served"),
)  # fmt: skip
def test_verdicts(text, overrides, verdict, detail, tmp_path: Path):
    found = run(tmp_path, text, *overrides)
    assert (found[0], detail in found[1]) == (verdict, True), found


def word(*values: int) -> str:
    return b"".join(value.to_bytes(8, "little") for value in values).hex()


@pytest.mark.parametrize(
    ("ours", "native", "pointers", "place"),
    [(word(1, 2), word(1, 2), [], None), (word(1, 2), word(1, 3), [], 8),
     (word(1, 2 << 8), word(1, 3 << 8), [], 9),
     (word(0x10008), word(0x7F008), [], None), (word(0x10000), word(0x7F008), [], 0),
     (word(0), word(0x7F008), [0], 0), (word(0x20), word(0x99), [0], None),
     (word(0), word(0x99), [0], 0), (word(0x10010), word(0x7F010), [], None),
     (word(0x20000), word(0x7F010), [], None), ("0102", "0103", [], 1)],
)  # fmt: skip
def test_what_differs(ours: str, native: str, pointers: list[int], place: int | None):
    """An address is the same if it is that of the same place of the same variable; the end of
    `x` is where `y` begins on one side only."""
    found = first_difference(
        "x",
        {"after": {"x": ours}, "places": {"x": (0x10000, 16), "y": (0x20000, 8)}},
        {
            "after": {"x": native}, "pointers": {"x": pointers},
            "places": {"x": (0x7F000, 16), "y": (0x7F010, 8)},
        },
    )  # fmt: skip
    assert found == place
