"""Assembly in and out at length: bundles of random texts, and every workload on every machine."""

from __future__ import annotations

import pytest

from tests.campaign.seeds import campaign, check_all
from tests.compiler.frontends.random_bundles import random_text
from tests.compiler.frontends.test_ia64_bundling import check_bundles
from tests.compiler.gnu_as import needs_gnu_as
from tests.compiler.targets.test_epic_standalone import WORKLOADS, all_machines, check_workload

NAMES = sorted(path.parent.name for path in WORKLOADS.glob("*/workload.yaml"))


@needs_gnu_as
@campaign(part=250)
def test_bundles_of_random_texts(seeds, tmp_path):
    check_all(lambda seed: check_bundles(random_text(seed), tmp_path), seeds)


@needs_gnu_as
@pytest.mark.campaign
@pytest.mark.parametrize("machine", all_machines())
@pytest.mark.parametrize("name", NAMES)
def test_workloads_as_stand_alone_programs(name, machine, tmp_path):
    check_workload(WORKLOADS / name / "workload.yaml", machine, tmp_path)
