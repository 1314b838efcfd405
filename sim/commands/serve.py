"""`simrun serve`: compile and run, for others, what a folder has."""

from __future__ import annotations

from pathlib import Path

import click

from machines.diagnostics import input_error
from machines.optional import optional
from sim.commands.parameters import PATH, TEXT


@click.command("serve")
@click.option("--store", type=PATH, required=True, metavar="DIR", help="The programs there are.")
@click.option(
    "--host", type=TEXT, default="127.0.0.1", metavar="NAME",
    help="Where to listen (127.0.0.1); for other computers there has to be a token.",
)  # fmt: skip
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8040, metavar="N",
    help="Where to listen (8040); 0: any that is free.",
)  # fmt: skip
@click.option(
    "--token-file", type=PATH, metavar="FILE",
    help="A word that clients have to know; else SIMRUN_TOKEN says it.",
)  # fmt: skip
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=2, metavar="N",
    help="Answer so many at a time (2).",
)  # fmt: skip
@click.option(
    "--queue", type=click.IntRange(0, 1000), default=32, metavar="N",
    help="Let so many wait (32); others are turned away.",
)  # fmt: skip
@click.option(
    "--seconds", type=click.FloatRange(min=0.1), default=120.0, metavar="S",
    help="Let none take longer (120).",
)  # fmt: skip
@click.option(
    "--memory", type=click.IntRange(64), default=4096, metavar="MIB",
    help="Let none take more (4096 MiB).",
)  # fmt: skip
def serve(
    store: Path, host: str, port: int, token_file: Path | None, jobs: int, queue: int,
    seconds: float, memory: int,
) -> int:  # fmt: skip
    """Compile and run what a folder has, for clients that name it (see `simrun remote`)."""
    import asyncio
    import signal

    optional("tornado", "serve")
    from sim import collector
    from sim.serve.application import Door
    from sim.serve.application import serve as answer
    from sim.serve.pool import Pool
    from sim.serve.token import find_token
    from sim.serve.work import Place

    if not store.is_dir():
        raise input_error(f"there is no folder {store}")
    door = Door(host, port, find_token(token_file))

    def say(url: str) -> None:
        click.echo(f"serving {store} at {url}")

    async def run() -> None:
        workers = "a worker" if jobs == 1 else f"{jobs} workers"
        how = "cores of a new version are compiled first, which takes a minute"
        click.echo(f"preparing {workers} ({how})", err=True)
        told = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, told.set)
        pool = await Pool.open(Place(store.resolve(), memory << 20), jobs, queue, seconds)
        try:
            await answer(pool, door, say, told)
        finally:
            pool.close()

    collector.resume()  # from here on this process lives long
    asyncio.run(run())
    return 0


PLUGIN = serve
