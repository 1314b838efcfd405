"""What Python and numba keep of a written module, and a seal on it.

    core_ia64_0123.py    __pycache__/core_ia64_0123.*.nbi .nbc .pyc    core_ia64_0123.seal

The seal holds a hash of each compiled file as it was when it had just been used with success.  A
file that is not so any more was cut off or overwritten; to load its machine code might do anything.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from machines.cache.files import write_atomically
from machines.diagnostics import InputError

T = TypeVar("T")

CODE = "__pycache__"
"""The folder of compiled files, beside the module."""


class CompiledFiles:
    """The compiled files of the module in `path`."""

    def __init__(self, path: Path):
        self.path, self.seal_path = path, path.with_suffix(".seal")

    @property
    def are_there(self) -> bool:
        """Whether numba has kept code of it."""
        return any(path.suffix == ".nbc" for path in self._files())

    @property
    def are_whole(self) -> bool:
        """Whether there is a seal, and every file that it names is as it was sealed."""
        hashes = self._hashes()
        sealed = list(self._sealed()) if self.seal_path.exists() else []
        return bool(sealed) and all(hashes.get(name) == digest for name, digest in sealed)

    def copy_to(self, path: Path) -> None:
        """Copy the module and what the seal names; the seal comes last, and with its times the
        module, as numba takes code for that of a file by them.

        Raises OSError if they cannot be written.
        """
        (path.parent / CODE).mkdir(exist_ok=True)
        for name, _ in self._sealed():
            shutil.copy2(self.path.parent / CODE / name, path.parent / CODE / name)
        shutil.copy2(self.path, path)
        shutil.copy2(self.seal_path, path.with_suffix(".seal"))

    @contextmanager
    def mended_and_sealed(self) -> Iterator[Callable[[Callable[[], T]], T]]:
        """Gives `attempt(use)`: what `use()` gives, which loads or makes these files.

        Damaged files go before, and if `use` fails because of one that was never sealed, all go and
        it is done once more.  Files that are new afterwards are sealed.
        """
        self._remove_damaged()
        before = self._state()

        def attempt(use: Callable[[], T]) -> T:
            try:
                return use()
            except OSError:
                raise
            except Exception:
                if not self.remove():
                    raise
                return use()

        yield attempt
        if self._state() != before:
            self._seal()

    def remove(self) -> bool:
        """Remove them all; whether there were any."""
        files = [*self._files()]
        for path in (*files, self.seal_path):
            with suppress(OSError):
                path.unlink()
        return bool(files)

    def _files(self) -> Iterator[Path]:
        return (self.path.parent / CODE).glob(f"{self.path.stem}.*")

    def _state(self) -> dict[str, tuple[int, int]]:
        found = {}
        for path in self._files():
            with suppress(OSError):  # another process may be at work
                status = path.stat()
                found[path.name] = (status.st_size, status.st_mtime_ns)
        return found

    def _remove_damaged(self) -> None:
        if not self.seal_path.exists():
            return
        hashes = self._hashes()
        if any(name in hashes and hashes[name] != sealed for name, sealed in self._sealed()):
            self.remove()

    def _sealed(self) -> Iterator[tuple[str, str]]:
        """(name, hash) of each; a seal that cannot be read breaks for every file."""
        try:
            lines = self.seal_path.read_text(encoding="utf-8").splitlines()
            yield from [(name, digest) for digest, name in (line.split(" ") for line in lines)]
        except (OSError, ValueError):
            yield from ((name, "") for name in self._state())

    def _hashes(self) -> dict[str, str]:
        found = {}
        for path in self._files():
            with suppress(OSError):
                found[path.name] = hashlib.sha256(path.read_bytes()).hexdigest()
        return found

    def _seal(self) -> None:
        lines = [f"{digest} {name}\n" for name, digest in sorted(self._hashes().items())]
        with suppress(InputError):  # without a seal the files serve as well
            write_atomically(self.seal_path, "".join(lines))
