"""The form of `findings/`: what a script there must have; what it shows is for whoever runs it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

FINDINGS = Path(__file__).parent.parent / "findings"
SCRIPTS = sorted(FINDINGS.glob("*.sh"))
LISTED = re.compile(r"^\| `([\w-]+)` \| (.*?\d\.\d.*?) \|", re.MULTILINE)
"""A row of the page: the script's name, and its subject with a version."""
INSTALL = re.compile(r"(?:/pip\"? install|apt-get download)((?: |\\\n)[^\n]*(?:(?<=\\)\n[^\n]*)*)")
PINNED = re.compile(r"\"?[a-z0-9-]+(?:==\d[\w.]*|==\$release|=\d[\w.-]*)\"?")
OURS = re.compile(r"^\s*(?:import|from)\s+(?:machines|compiler|sim|workloads)\b", re.MULTILINE)
HEADER = ("# Expected: ", "# Seen (", "# Why it matters: ")


def faults(script: str) -> list[str]:
    """What is wrong with the form of a script, by its text."""
    found = []
    words = [word for line in INSTALL.findall(script) for word in line.replace("\\\n", " ").split()]
    packages = [word for word in words if not word.startswith("-") and "::" not in word]
    if not packages or not all(map(PINNED.fullmatch, packages)):
        found.append(f"installs what is not pinned: {' '.join(packages)}")
    if OURS.search(script) or "simrun" in code(script):
        found.append("runs simrun")
    if [part for part in HEADER if f"\n{part}" not in script]:
        found.append("does not say what is expected, seen and taught")
    if "\nset -euo pipefail\n" not in script or "trap 'rm -rf \"$folder\"' EXIT" not in script:
        found.append("goes on after an error, or leaves its folder behind")
    if not re.search(r"^diff \S+ - <<'SEEN'\n(?:.+\n)+SEEN\n\Z", script, re.MULTILINE):
        found.append("does not end in a comparison with what was seen")
    return found


def code(script: str) -> str:
    return re.sub(r"^#.*$", "", script, flags=re.MULTILINE)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_form(path: Path):
    assert path.stat().st_mode & 0o111 == 0o111, "no run bit"
    assert not faults(path.read_text(encoding="utf-8"))
    subprocess.run(["bash", "-n", path], check=True)


def test_the_page_lists_them():
    rows = LISTED.findall((FINDINGS / "README.md").read_text(encoding="utf-8"))
    assert sorted(name for name, _ in rows) == [path.stem for path in SCRIPTS]
    assert len(rows) >= 12


@pytest.mark.parametrize(
    ("what", "instead", "fault"),
    [
        ("simpy==4.1.2", "simpy", "not pinned"),
        ("simpy==4.1.2", "simpy==4.1.2 pyyaml", "not pinned"),
        ("simpy==4.1.2", "simpy==4.1.2 \\\n    'numpy>=2'", "not pinned"),
        ("import simpy", "import simpy\nfrom sim.runner import execute", "runs simrun"),
        ("# Why it matters", "# So", "does not say"),
        ("set -euo pipefail", "set -eu", "goes on"),
        ("EXIT", "INT", "leaves its folder"),
        ("SEEN", "LOOKED", "does not end"),
    ],
)
def test_faults_of_form_are_noticed(what: str, instead: str, fault: str):
    script = (FINDINGS / "simpy-triggered-before-it-happens.sh").read_text(encoding="utf-8")
    assert any(fault in one for one in faults(script.replace(what, instead)))
