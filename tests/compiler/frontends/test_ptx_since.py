"""From which target on there are hints, fences of proxies and what clusters brought: as ptxas."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from compiler.frontends.ptx import PLUGIN
from machines.diagnostics import InputError
from tests.compiler.frontends.ptx_runs import kernel
from tests.compiler.frontends.ptxas import PTXAS, needs_ptxas

OF_ALL = """
fence.proxy.alias;
fence.acquire.gpu;
fence.acq_rel.gpu;
membar.proxy.alias;
prefetch.global.L2 [%rd0];
ld.global.L2::128B.b32 %r1, [%rd0];
ld.global.L1::evict_last.b32 %r1, [%rd0];
ld.shared::cta.b32 %r1, [%r2];
isspacep.shared::cta %p1, %rd0;
pmevent 1;
"""
OF_80 = """
createpolicy.fractional.L2::evict_last.b64 %rd2, 1.0;
createpolicy.cvt.L2.b64 %rd2, %rd1;
discard.global.L2 [%rd0], 128;
applypriority.global.L2::evict_normal [%rd0], 128;
prefetch.global.L2::evict_last [%rd0];
ld.global.L2::cache_hint.b32 %r1, [%rd0], %rd2;
st.global.L2::cache_hint.b32 [%rd0], %r1, %rd2;
atom.global.add.L2::cache_hint.u32 %r1, [%rd0], %r2, %rd2;
"""
OF_90 = """
elect.sync _|%p1, 0xffffffff;
griddepcontrol.wait;
fence.proxy.async;
fence.proxy.async.shared::cta;
fence.proxy.tensormap::generic.release.gpu;
fence.proxy.tensormap::generic.acquire.gpu [%rd0], 128;
fence.mbarrier_init.release.cluster;
fence.acq_rel.cluster;
fence.acquire.sync_restrict::shared::cluster.cluster;
prefetch.tensormap [%rd0];
prefetch.const.tensormap [%rd0];
ld.shared::cluster.b32 %r1, [%r2];
isspacep.shared::cluster %p1, %rd0;
"""
LINES = [
    (first, line)
    for first, lines in ((70, OF_ALL), (80, OF_80), (90, OF_90))
    for line in lines.strip().splitlines()
]


def text(line: str, target: int) -> str:
    return kernel(f"{line} ret;").replace("sm_90", f"sm_{target}")


@pytest.mark.parametrize("first, line", LINES)
def test_a_target_that_has_it_not_refuses_it(first: int, line: str):
    for target in (75, 80, 90):
        if target >= first:
            assert PLUGIN.read(text(line, target), "test.ptx").functions
            continue
        with pytest.raises(InputError) as caught:
            PLUGIN.read(text(line, target), "test.ptx")
        [found] = caught.value.diagnostics
        assert (
            f"sm_{first} is the first target with '{line.split()[0].strip(';')}'" in found.message
        )


@needs_ptxas
@pytest.mark.parametrize("target", [75, 80])
def test_ptxas_says_so(target: int, tmp_path: Path):
    """It reports every line of a file that it refuses."""
    source = tmp_path / "lines.ptx"
    source.write_text(text("\n".join(line for _, line in LINES), target))
    arguments = [PTXAS, f"-arch=sm_{target}", source, "-o", tmp_path / "made.cubin"]
    said = subprocess.run(arguments, capture_output=True, text=True).stderr
    reported = {int(match[1]) for match in re.finditer(r"line (\d+); error", said)}
    written = source.read_text().splitlines()
    refused = [written[number - 1].removesuffix(" ret;") for number in sorted(reported)]
    assert refused == [line for first, line in LINES if first > target]
