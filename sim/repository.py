"""Git, asked by its command: the repository that a file lies in.

repository = repository_of(Path("workloads/saxpy"))
repository.revision()                                  # '0a1b2c3d4e5f-dirty'
repository.ask("rev-list", "--count", "HEAD")          # '1009\\n'
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from machines.diagnostics import InputError, input_error

SHORT = 12
"""Digits of a commit's name."""
DIRTY = "-dirty"
"""Follows the commit where files differ from it, or are not in it, as in `git describe`."""
_OF_A_HOOK = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR")
"""Variables by which git tells a hook its own repository, which need not be the one we mean."""
_PLAIN = (
    "core.quotePath=false", "color.ui=false", "log.showSignature=false", "core.hooksPath=/dev/null",
)  # fmt: skip
"""Settings in place of the user's: what is printed is always the same, and nothing else runs."""


@dataclass(frozen=True)
class Repository:
    """A repository by the folder at its top."""

    root: Path

    def ask(self, *words: str) -> str:
        """What a command of git prints; raises InputError with git's own message if it fails."""
        settings = [word for setting in _PLAIN for word in ("-c", setting)]
        kept = {name: value for name, value in os.environ.items() if name not in _OF_A_HOOK}
        # Who only looks takes no lock that another command of the user's would wait for, and what
        # has begun is not broken off by a Ctrl-C that is meant for us.
        environment = {**kept, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
        command = ["git", "-C", str(self.root), *settings, *words]
        try:
            ended = subprocess.run(
                command, env=environment, capture_output=True, check=False, start_new_session=True
            )  # fmt: skip
        except FileNotFoundError:
            raise input_error("git is not installed") from None
        if ended.returncode:
            said = ended.stderr.decode(errors="replace").strip().partition("\n")[0]
            raise input_error(f"git {words[0]}: {said.removeprefix('fatal: ')}")
        return ended.stdout.decode(errors="replace")

    def revision(self) -> str:
        """The commit that is checked out, shortened, and whether the files are its own."""
        commit = self.ask("rev-parse", f"--short={SHORT}", "HEAD").strip()
        is_clean = not self.ask("status", "--porcelain", "--untracked-files=normal")
        return commit if is_clean else commit + DIRTY


def repository_of(path: Path) -> Repository | None:
    """The repository that a file or folder lies in, None if it lies in none."""
    path = path.resolve()
    for folder in (path, *path.parents):
        if (folder / ".git").exists():  # a folder; in a worktree a file
            return Repository(folder)
    return None


def revision_of(repository: Repository | None) -> str | None:
    """The revision of a repository; None where there is none that git can tell."""
    try:
        return repository.revision() if repository else None
    except InputError:
        return None
