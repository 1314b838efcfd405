"""The command line: the group of the commands, errors, exit codes.  The commands are files of
`sim/commands`.

Exit codes: 0 done and outputs right; 1 outputs wrong, or a baseline moved; 2 the user's input is
wrong, or something outside of simrun (a full disk) keeps it from working; 3 the simulated program
faulted or did not end; 70 a mistake in simrun or a plugin; 130 interrupted by Ctrl-C, 143 by
SIGTERM.  Commands return theirs.
"""

from __future__ import annotations

import sys

try:
    import os
    import signal
    import tempfile
    import threading
    import traceback
    from collections.abc import Iterator
    from contextlib import contextmanager
    from pathlib import Path
    from typing import Any, NoReturn

    import click
    from click.shell_completion import CompletionItem

    from machines.blame import BrokenByPlugin, blamed, told
    from machines.cache.results import kept_results
    from machines.diagnostics import InputError, input_error, nearest
    from machines.plugins import FAILED
    from sim import collector
    from sim.commands import commands
    from sim.streams import flush_or_discard, prepare_streams
    from sim.version import release
except KeyboardInterrupt:  # `command_line`, which handles it otherwise, is not there yet
    print("interrupted", file=sys.stderr)
    raise SystemExit(130) from None

COMPLETE = "_SIMRUN_COMPLETE"
USAGE, SYSTEM, MISTAKE = "usage", "system", "mistake"
"""Codes of what is no `InputError` (`machines.mistakes`)."""
WRONG_INPUT, BROKEN_OFF, TERMINATED, OUR_MISTAKE = 2, 130, 143, 70


class MainGroup(click.Group):
    """The commands; one may be left out: `simrun x.yaml` means `simrun run x.yaml`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(commands())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return commands().get(cmd_name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {option for parameter in self.params for option in parameter.opts} | {"--help", "-h"}
        first = args[0] if args else None
        if first is not None and first not in commands() and first not in own:
            is_command_word = not first.startswith("-") and not _looks_like_a_file(first)
            if not is_command_word:
                args = ["run", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands, and files, as `run` may be left out."""
        return [*super().shell_complete(ctx, incomplete), CompletionItem(incomplete, type="file")]

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name = args[0]
        if name not in commands():
            message = f"there is no command '{name}'"
            from sim.workload.named import hint_for

            hint = hint_for(name)
            known = nearest(name, commands()) + "  (a workload is a file: NAME.yaml)"
            raise input_error(message, hint=f"{hint}: simrun FILE" if hint else known)
        return super().resolve_command(ctx, args)


def _looks_like_a_file(word: str) -> bool:
    return "/" in word or Path(word).suffix != "" or Path(word).exists()


@click.group(cls=MainGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(release(), message="simrun %(version)s")
def simrun() -> None:
    """Compile a program for a described machine, run it cycle by cycle, check its outputs, and see
    where the cycles went.

    The main job: simrun WORKLOAD.yaml
    """


def main() -> NoReturn:
    """The console script, in a process that is simrun's alone."""
    collector.put_off()
    with kept_results():
        command_line()


def command_line() -> NoReturn:
    """Run the command of this process' words, and turn every failure into one message."""
    received: list[int] = []
    try:
        prepare_streams()
        with _sigterm_as_ctrl_c(received):
            code = _run(sys.argv[1:])
        sys.stdout.flush()
    except InputError as error:
        _fail(str(error), WRONG_INPUT)
    except click.exceptions.NoArgsIsHelpError as error:
        _fail(error.format_message(), WRONG_INPUT)
    except click.UsageError as error:
        _fail(_usage_message(error), WRONG_INPUT)
    except KeyboardInterrupt:
        _fail("interrupted", TERMINATED if received else BROKEN_OFF)
    except OSError as error:
        what = f"use {error.filename}" if error.filename else "write the output"
        blame = blamed(error)
        whose = f"\n    {blame} wants that, {blame.place}" if blame else ""
        _fail(f"error: cannot {what}: {error.strerror}  [{SYSTEM}]{whose}", WRONG_INPUT)
    except MemoryError as error:
        detail = f": {error}" if str(error) else ""
        _fail(f"error: the run needs more memory than there is{detail}  [{SYSTEM}]", WRONG_INPUT)
    except Exception as error:
        report = _write_crash_report(error.detail if isinstance(error, BrokenByPlugin) else "")
        first, end, rest = told(error).partition("\n")
        _fail(f"{first}  [{MISTAKE}]{end}{rest}\n    a report is in {report}", OUR_MISTAKE)
    _warn_of_plugins()
    raise SystemExit(TERMINATED if code == BROKEN_OFF and received else code)


@contextmanager
def _sigterm_as_ctrl_c(received: list[int]) -> Iterator[None]:
    """Let SIGTERM end a command as Ctrl-C does, with what it has so far; it is noted in `received`.

    Who calls us from a program of their own may have other plans for it, which stay.
    """

    def interrupt(number: int, frame: object) -> NoReturn:
        received.append(number)
        raise KeyboardInterrupt

    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _run(words: list[str]) -> int:
    """The exit code of a command; click's own `main` would make its own words of Ctrl-C.

    A shell that completes a line asks by `_SIMRUN_COMPLETE` (click's protocol, see the README).
    """
    if asked := os.environ.get(COMPLETE):
        from click.shell_completion import shell_complete

        from sim.commands import shells

        shells.set_up()
        return shell_complete(simrun, {}, "simrun", COMPLETE, asked)
    try:
        with simrun.make_context("simrun", words, color=_colour()) as context:
            return simrun.invoke(context) or 0
    except click.exceptions.Exit as ended:  # --help and --version
        return ended.exit_code


def _colour() -> bool | None:
    """Whether there are colours: as it fits the terminal, but none where NO_COLOR says something
    (https://no-color.org)."""
    return False if os.environ.get("NO_COLOR") else None


def _usage_message(error: click.UsageError) -> str:
    possibilities = getattr(error, "possibilities", None)
    if possibilities:  # click's own text of the message has them too
        return f"error: {error.message}  [{USAGE}]\n    hint: did you mean '{possibilities[0]}'?"
    command = error.ctx.command_path if error.ctx else "simrun"
    hint = f"'{command} --help' says what may stand here"
    return f"error: {error.format_message()}  [{USAGE}]\n    hint: {hint}"


def _write_crash_report(detail: str) -> str:
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="simrun-mistake-", suffix=".txt", delete=False, encoding="utf-8"
        ) as file:
            file.write(f"command: {sys.argv}\n\n{traceback.format_exc()}\n{detail}")
    except OSError as error:
        return f"no file, as none could be written: {error.strerror}"
    return file.name


def _warn_of_plugins() -> None:
    """Name the plugins that were left out, each once."""
    for owner, reason in FAILED.items():
        if owner not in _warned:
            click.echo(f"warning: plugin {owner} is left out: {reason}", err=True)
            _warned.add(owner)


_warned: set[str] = set()


def _fail(message: str, code: int) -> NoReturn:
    flush_or_discard()
    _warn_of_plugins()
    click.echo(message, err=True)
    raise SystemExit(code)


if __name__ == "__main__":
    main()
