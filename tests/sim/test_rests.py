"""Runs at rest: kept in a file, taken up again, the state that is kept, and what is refused."""

from __future__ import annotations

import io
import json
import os
import shutil
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from machines.cache.results import software
from machines.diagnostics import InputError
from sim.cores.cluster.transfers.dma_engine import DmaEngine
from sim.cores.cluster.transfers.links import Links
from sim.cores.epic import state as of_epic
from sim.cores.rest import Script
from sim.cores.simt import state as of_simt
from sim.cores.simt.drive import SimtCore
from sim.cores.simt.units.block_dispatcher import DISPATCHED
from sim.rests import checkpoint
from tests.campaign.seeds import campaign, check_all
from tests.sim.rests import (
    IN_EVERY_RUN,
    WORKLOADS,
    Content,
    Pausing,
    check_chain,
    check_every_rest,
    check_state,
    side_by_side,
    small_heat,
    workload,
)
from tests.sim.simt.random_hosts import random_host

ALL = [
    pytest.param(name, marks=() if name in IN_EVERY_RUN else pytest.mark.campaign)
    for name in WORKLOADS
]


@pytest.mark.parametrize("name", ALL)
def test_the_same_bytes_from_every_point_of_rest(name: str, tmp_path: Path):
    assert check_every_rest(WORKLOADS[name](), tmp_path) >= 2


@pytest.mark.parametrize("name", ALL)
def test_what_is_taken_up_holds_what_it_held(name: str, tmp_path: Path):
    assert check_state(WORKLOADS[name](), tmp_path) >= 2


@pytest.mark.parametrize("name", ALL)
def test_a_run_that_is_taken_up_is_kept_again(name: str, tmp_path: Path):
    assert check_chain(WORKLOADS[name](), tmp_path) >= 2


@campaign(part=20, first=0, end=60)
def test_hosts_that_look_at_memory(seeds: range, tmp_path: Path):
    """Loops of random hosts, with flags, conditions and arrays that change places."""

    def check(seed: int) -> None:
        folder = tmp_path / str(seed)
        folder.mkdir()
        check_every_rest(str(random_host(seed).write(folder)), folder, machine="teaching_gpu")

    check_all(check, seeds)


def test_timing_only(tmp_path: Path):
    assert check_every_rest(WORKLOADS["chip_clusters"](), tmp_path, timing_only=True) >= 2


# ---- What is forgotten is found -----------------------------------------------------------------


def forget_caches(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(of_epic, "FIXED", (*of_epic.FIXED, "caches"))


def forget_the_predictor(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(of_epic, "FIXED", (*of_epic.FIXED, "counters"))


def forget_the_memory_system(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(of_simt, "FIXED", (*of_simt.FIXED, "memory"))


def forget_where_blocks_go(patch: pytest.MonkeyPatch) -> None:
    restore = SimtCore.restore

    def without(core: SimtCore, state: Any) -> None:
        restore(core, state)
        core.state.scalars[DISPATCHED.NEXT_SM] = 0

    patch.setattr(SimtCore, "restore", without)


def forget_what_was_seen(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Script, "change", lambda script, write: write())


def forget_open_rows(patch: pytest.MonkeyPatch) -> None:
    restore = Links.restore

    def without(links: Links, state: Any) -> None:
        banks = [[*at, carried, None, opened] for *at, carried, _, opened in state["banks"]]
        restore(links, {**state, "banks": banks})

    patch.setattr(Links, "restore", without)


def forget_when_an_engine_is_free(patch: pytest.MonkeyPatch) -> None:
    restore = DmaEngine.restore
    patch.setattr(DmaEngine, "restore", lambda e, state: restore(e, {**state, "free_at": 0}))


FORGOTTEN: list[tuple[Callable, Callable[[], Content]]] = [
    (forget_caches, WORKLOADS["hand_tuned_copy"]),
    (forget_the_predictor, WORKLOADS["hand_tuned_copy"]),
    (forget_the_memory_system, small_heat),
    (forget_open_rows, WORKLOADS["chip_layer_norm"]),
]


@pytest.mark.parametrize(
    ("forget", "content"),
    [
        *FORGOTTEN,
        pytest.param(forget_what_was_seen, WORKLOADS["gpu_frontier"], marks=pytest.mark.campaign),
    ],
)
def test_what_is_forgotten_changes_what_comes_out(forget, content, tmp_path, monkeypatch):
    """Other bytes come out, or a law is broken."""
    forget(monkeypatch)
    with pytest.raises(AssertionError):
        check_every_rest(content(), tmp_path)


@pytest.mark.parametrize(
    ("forget", "content"),
    [
        *FORGOTTEN,
        pytest.param(
            forget_where_blocks_go, WORKLOADS["gpu_two_streams"], marks=pytest.mark.campaign
        ),
        (forget_when_an_engine_is_free, WORKLOADS["chip_clusters"]),
    ],
)
def test_what_is_forgotten_is_missed(forget, content, tmp_path, monkeypatch):
    forget(monkeypatch)
    with pytest.raises(AssertionError, match="after step"):
        check_state(content(), tmp_path)


@pytest.mark.parametrize(
    ("name", "fixed", "memory"),
    [
        ("hand_tuned_copy", of_epic.FIXED, {"bytes1", "bytes2", "bytes4", "bytes8"}),
        (
            "gpu_small_heat",
            of_simt.FIXED,
            {"bytes", "addresses", "runs", "acts", "acting", "progress"},
        ),
    ],
)
def test_what_is_called_fixed_is_fixed(name: str, fixed: tuple[str, ...], memory: set[str]):
    run = Pausing(WORKLOADS[name]())
    state = run.holds["core"].state
    arrays = {one: getattr(state, one) for one in {*fixed} - memory}
    before = {one: array.copy() for one, array in arrays.items()}
    assert list(run.rests())
    assert all((arrays[one] == before[one]).all() for one in arrays)


# ---- Whose state it is --------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path: Path) -> Callable[..., Path]:
    def keep(content: Content, steps: int, **how: Any) -> Path:
        with sim.session(content, **how) as session:
            assert session.rest(steps) and session.steps == steps
            session.checkpoint(tmp_path / "kept.npz")
        return tmp_path / "kept.npz"

    return keep


def calls(*numbers: int, **more: Any) -> Content:
    """Calls of a program with so many passes each."""
    each = [{"arguments": {"passes": passes}} for passes in numbers]
    return workload("hand_tuned/copy", calls=each, **more)


def test_what_comes_later_may_differ(kept):
    path = kept(calls(2, 1, 1), 2)
    for other in (calls(2, 1, 3), calls(2, 1), calls(2, 1, 1, 1), calls(2, 1, 5, expect={})):
        assert sim.run(other, checkpoint=path).to_json() == sim.run(other).to_json()


def test_later_steps_of_a_chip_may_differ(kept):
    content = side_by_side()
    path = kept(content, 1)
    *first, last = content["tasks"]
    other = {**content, "tasks": [*first[:2], {**first[2], "dim": 8}, last], "expect": {}}
    assert sim.run(other, checkpoint=path).to_json() == sim.run(other).to_json()


def earlier(content: Content) -> Content:
    """The task that was waited for arrives before the state was kept."""
    first, late, *others = content["tasks"]
    return {**content, "tasks": [first, {**late, "arrival": "200 cycles"}, *others]}


def one_stream_more(content: Content) -> Content:
    """A stream that was not there would have begun before."""
    return {**content, "tasks": [*content["tasks"], {"copy": "x", "to": "device", "stream": 2}]}


def one_stream_less(content: Content) -> Content:
    """What a stream did that was there is done by the other one, at its end."""
    others = [step for step in content["tasks"] if "stream" not in step]
    moved = [{k: v for k, v in step.items() if k not in ("stream", "arrival")}
             for step in content["tasks"] if "stream" in step]  # fmt: skip
    return {**content, "tasks": [*others, *moved]}


def one_stream_longer(content: Content) -> Content:
    """A stream that had ended goes on."""
    more = {"copy": "scratch", "to": "host", "stream": 1}
    return {**content, "launches": [*content["launches"], more]}


OTHER_PASTS: list[tuple[Callable[[], Content], int, Callable[[Content], Any], str]] = [
    (lambda: calls(2, 1), 1, lambda c: calls(3, 1), "what the host does before step 2"),
    (lambda: calls(2, 1), 2, lambda c: calls(2), "what the host does before step 3"),
    (side_by_side, 1, earlier, "what the host does before step 2"),
    (side_by_side, 1, one_stream_more, "what the host does before step 2"),
    (side_by_side, 1, one_stream_less, "what the host does before step 2"),
    (WORKLOADS["gpu_two_streams"], 4, one_stream_longer, "what the host does before step 5"),
    (lambda: calls(2, 1), 1, lambda c: {**c, "machine": "epic3"}, "is of another machine"),
    (
        lambda: calls(2, 1),
        1,
        lambda c: {**c, "program": str(Path(c["program"]).parent / "../add/add.s")},
        "is of another program|no register|argument",
    ),
    (
        lambda: calls(2, 1),
        1,
        lambda c: {**c, "arguments": {**c["arguments"], "source": {"dtype": "i64", "shape": [1000],
                                                                  "value": 1}}},
        "is of a run with other inputs",
    ),
    (lambda: calls(2, 1), 1, lambda c: {**c, "limits": {"cycles": 100}}, "behind the limit of 100"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "steps", "change", "message"), OTHER_PASTS)
def test_another_past_is_refused(content, steps: int, change, message: str, kept):
    path, other = kept(content(), steps), change(content())
    with pytest.raises(InputError, match=message):
        sim.run(other, checkpoint=path)


def test_values_are_of_the_past(kept):
    path = kept(WORKLOADS["chip_clusters"](), 2, timing_only=True)
    with pytest.raises(InputError, match="whose values were computed, or not"):
        sim.run(WORKLOADS["chip_clusters"](), checkpoint=path)


# ---- Files --------------------------------------------------------------------------------------


def test_damaged_files_are_refused(kept, tmp_path: Path):
    content = calls(2, 1)
    path = kept(content, 1)
    whole = path.read_bytes()
    generator = np.random.default_rng(1)
    damaged = [b"", whole[: len(whole) // 2], whole[:-30], b"PK\x03\x04", b"{}"]
    for place in generator.integers(0, len(whole), 20).tolist():
        damaged.append(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
    other = tmp_path / "damaged.npz"
    for content_of_file in damaged:
        other.write_bytes(content_of_file)
        with pytest.raises(InputError, match="holds no run at rest, or is damaged"):
            sim.run(content, checkpoint=other)
    with pytest.raises(InputError, match="there is no file"):
        sim.run(content, checkpoint=tmp_path / "none.npz")
    with pytest.raises(InputError, match="cannot read"):
        sim.run(content, checkpoint=tmp_path)


def test_what_is_no_file_of_ours_is_not_read(kept, tmp_path: Path):
    """Nor is a pipe waited for, nor a large file read before its beginning."""
    content, pipe, large = calls(2, 1), tmp_path / "pipe", tmp_path / "large"
    os.mkfifo(pipe)
    large.touch()
    os.truncate(large, 1 << 40)
    for path, message in ((pipe, "is not a regular file"), (Path("/dev/zero"), "not a regular"),
                          (large, "is larger than 4096 MiB")):  # fmt: skip
        with pytest.raises(InputError, match=message):
            sim.run(content, checkpoint=path)
    os.truncate(large, checkpoint.MOST_BYTES)
    tracemalloc.start()
    with pytest.raises(InputError, match="holds no run at rest"):
        checkpoint.read_checkpoint(large)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 1 << 20


def test_another_version_of_a_package_is_named(kept, monkeypatch: pytest.MonkeyPatch):
    path = kept(calls(2, 1), 1)
    versions = software().installed
    monkeypatch.setitem(versions, "numba", "99.0")
    with pytest.raises(InputError, match=r"was written with other packages: numba from .* to 99"):
        sim.run(calls(2, 1), checkpoint=path)


def rewritten(path: Path, change: Callable[[dict], None]) -> None:
    """The file with another header, and a seal that is right."""
    with np.load(io.BytesIO(checkpoint.read_checkpoint(path))) as file:
        arrays = {name: file[name] for name in file.files}
    header = json.loads(arrays["header"].tobytes())
    change(header)
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    checkpoint.write_checkpoint(path, saved(**arrays))


def saved(**arrays: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def drop_an_array(header: dict) -> None:
    del header["state"]["machine"]["arrays"]["general"]


def swap_arrays(header: dict) -> None:
    arrays = header["state"]["machine"]["arrays"]
    arrays["general"], arrays["names"] = arrays["names"], arrays["general"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda h: h.update(format=0), "has format 0, not 2"),
        (lambda h: h.pop("state"), "holds no run at rest"),
        (lambda h: h["state"].update(cycle=-1), "holds no run at rest"),
        (lambda h: h["state"].update(machine=None), "damaged"),
        (lambda h: h["state"].update(given=[]), "damaged"),
        (lambda h: h["state"].update(machine={"call": 0, "arrays": {"array": "x"}}), "damaged"),
        (drop_an_array, "damaged"),
        (swap_arrays, "damaged"),
        (lambda h: h["origin"].update(simulator="0"), "was written by other text of simrun"),
    ],
)
def test_files_of_others_are_refused(change, message: str, kept):
    path = kept(calls(2, 1), 1)
    rewritten(path, change)
    with pytest.raises(InputError, match=message):
        sim.run(calls(2, 1), checkpoint=path)


def test_nothing_is_unpickled(kept, tmp_path: Path):
    path = kept(calls(2, 1), 1)
    with zipfile.ZipFile(io.BytesIO(checkpoint.read_checkpoint(path))) as file:
        assert all(name.endswith(".npy") for name in file.namelist())
    objects = saved(header=np.array([{"format": 2}], dtype=object))
    checkpoint.write_checkpoint(path, objects)
    with pytest.raises(InputError, match="holds no run at rest, or is damaged"):
        sim.run(calls(2, 1), checkpoint=path)


# ---- Sessions -----------------------------------------------------------------------------------


def test_a_session_is_kept_only_at_rest(tmp_path: Path):
    with sim.session(calls(2, 1)) as session:
        session.advance(10)
        with pytest.raises(InputError, match="not at rest"):
            session.checkpoint(tmp_path / "kept.npz")
        assert session.rest()
        assert (session.steps, session.cycle > 10) == (1, True)
        assert session.rest()  # it is at rest
        begun = session.cycle
        session.checkpoint(tmp_path / "kept.npz")
        assert session.advance(5) and session.steps is None
        assert session.cycle == begun + 5
        plain = session.finish().to_json()
    with sim.session(calls(2, 1), checkpoint=tmp_path / "kept.npz") as session:
        assert (session.cycle, session.steps) == (begun, 1)
        session.advance(5)
        assert session.cycle == begun + 5
        assert session.finish().to_json() == plain
        assert not session.rest(9)


# ---- The command line ---------------------------------------------------------------------------


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A workload's file, beside its program, in the current folder."""
    content = side_by_side()
    shutil.copy(content["program"], tmp_path)
    content["program"] = Path(content["program"]).name
    (tmp_path / "workload.yaml").write_text(json.dumps(content))
    monkeypatch.chdir(tmp_path)
    return "workload.yaml"


def test_a_run_is_kept_and_taken_up(simrun, written: str):
    plain = simrun(written, "--json")
    kept = simrun(written, "--json", "--checkpoint", "kept.npz", "--checkpoint-at", "3")
    assert (plain.code, kept.out) == (0, plain.out)
    assert simrun(written, "--json", "--from", "kept.npz").out == plain.out
    other = simrun(written, "--json", "--from", "kept.npz", "--set", "dram.latency=99 ns")
    assert other.code == 2 and "kept.npz is of another machine" in other.err


def test_a_run_that_ends_before_says_that_nothing_was_kept(simrun, written: str):
    where = ["--checkpoint", "kept.npz", "--checkpoint-at", "3"]
    ended = simrun(written, *where, "--cycle-limit", "50")
    assert ended.code == 3 and "ended before step 3: nothing was kept" in ended.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--checkpoint", "a.npz"), "--checkpoint and --checkpoint-at go together"),
        (("--checkpoint-at", "2"), "--checkpoint and --checkpoint-at go together"),
        (("--from", "a.npz", "--trace", "t"), "--trace would lack what happened before --from"),
        (("--from", "none.npz"), "there is no file none.npz"),
        (("--checkpoint", "a.npz", "--checkpoint-at", "9"), "the host has 5 steps at whose ends"),
        (("--checkpoint", "a.npz", "--checkpoint-at", "9", "--emit", "b"), "--emit"),
    ],
)
def test_what_the_command_line_refuses(words, message, simrun, written: str):
    refused = simrun(written, *words)
    assert refused.code == 2 and message in refused.err
