"""Runs commands in a process of their own, where packages of a folder are installed."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from multiprocessing.connection import Connection
from pathlib import Path


def serve(connection: Connection, folder: Path, environment: dict[str, str]) -> None:
    """Run each command that comes, and Python behind '-c', one after the other; answer with its
    exit code and what it wrote."""
    from sim.cli import main

    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    while words := connection.recv():
        sys.argv = ["simrun", *words]
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = exec(words[1], {}) if words[0] == "-c" else main()
            except SystemExit as ended:
                code = ended.code
        texts = []
        for stream in (out, err):
            stream.flush()
            texts.append(stream.buffer.getvalue().decode())
        connection.send((code or 0, *texts))
