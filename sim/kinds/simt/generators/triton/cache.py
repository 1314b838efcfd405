"""The kernels of a folder of Triton's cache.

Metadata say threads, shared memory and scratch, TTIR says what the arguments are.  The PTX takes
two pointers more than the source: global scratch and the profiler's, null where their sizes are 0.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from machines.diagnostics import input_error
from machines.reading import read_text
from sim.kinds.simt.generators.entries import MOST_BYTES, entries, ptx_of
from sim.kinds.simt.generators.kernel import Axes, GeneratedKernel, Parameter, array, scalar
from sim.kinds.simt.generators.triton import SUFFIXES, folders
from sim.kinds.simt.generators.triton.descriptors import is_known, whole
from sim.kinds.simt.generators.triton.ttir import ELEMENTS, Said, parameters

KNOWN = "Triton 3.6 and 3.9 are known"
MOST_HIDDEN = 2
NEEDED = ("name", "num_warps", "warp_size", "shared", "num_ctas", "target")


def kernels(path: Path) -> list[GeneratedKernel]:
    """Those of a folder, or of all folders of a cache; raises InputError where files are missing,
    or say other things than they did."""
    return [
        _kernel(file)
        for folder in sorted(folders(path))
        for file in _metadata(folder, is_alone=folder == path)
    ]


def _metadata(folder: Path, is_alone: bool) -> Iterator[Path]:
    """The metadata of each kernel that is there; in a cache folders of what was never finished are
    left out."""
    for ttir in sorted(folder.glob("*.ttir")):
        missing = [one for one in SUFFIXES if not ttir.with_suffix(one).is_file()]
        if missing and not is_alone:
            continue
        for suffix in missing:
            message = f"{folder} has {ttir.name}, but no {ttir.with_suffix(suffix).name}"
            hint = "Triton for NVIDIA's GPUs leaves .json, .ptx and .ttir of each kernel"
            raise input_error(message, hint=hint)
        yield ttir.with_suffix(".json")


def _kernel(file: Path) -> GeneratedKernel:
    said = _said_in(file)
    ptx, ttir = file.with_suffix(".ptx"), file.with_suffix(".ttir")
    found = parameters(read_text(ttir, MOST_BYTES))
    if found is None:
        raise input_error(f"{ttir}: the kernel's parameters are not as they were", hint=KNOWN)
    name, own = found
    declared = entries(ptx_of(ptx)).get(said["name"])
    if declared is None:
        raise input_error(f"{ptx} has no kernel '{said['name']}', which {file.name} names")
    hidden, maps = len(declared) - len(own), said.get("tensordesc_meta") or ()
    if not 0 <= hidden <= MOST_HIDDEN:
        message = f"{ptx}: '{name}' takes {len(declared)} parameters, its TTIR has {len(own)}"
        raise input_error(message, hint=f"{MOST_HIDDEN} more are expected; {KNOWN}")
    return GeneratedKernel(
        name,
        ptx,
        said["name"],
        tuple(
            one if isinstance(one, Parameter) else parameter(one)
            for one in (whole(own, maps) if is_known(own, maps) else own)
        ),
        len(declared),
        made_for=f"sm_{said['target'].get('arch')}, {said['num_warps']} warps",
        after=(None,) * hidden,
        block=(said["num_warps"] * said["warp_size"],),
        shared=said["shared"],
        scratch=said.get("global_scratch_size", 0),
        refused=_refused(said, own),
    )


def _said_in(file: Path) -> Mapping[str, Any]:
    """The metadata; raises InputError."""
    try:
        said = json.loads(read_text(file, MOST_BYTES))
    except json.JSONDecodeError as error:
        raise input_error(f"{file}:{error.lineno}:{error.colno}: {error.msg}") from None
    if not isinstance(said, dict):
        raise input_error(f"{file} is no metadata of a kernel", hint=KNOWN)
    for key in NEEDED:
        if key not in said:
            version = said.get("triton_version", "another version")
            raise input_error(f"{file} has no '{key}': it is of {version}", hint=KNOWN)
    if not isinstance(said["target"], dict) or said["target"].get("backend") != "cuda":
        raise input_error(f"{file}: the kernel was compiled for {said['target']}, not for CUDA")
    for key in ("num_warps", "warp_size", "shared", "num_ctas"):
        if type(said[key]) is not int:
            raise input_error(f"{file}: '{key}' is {said[key]!r}, not an integer", hint=KNOWN)
    return said


def _refused(said: Mapping[str, Any], own: tuple[Said, ...]) -> str:
    """What a launch here cannot give, in words."""
    found = []
    if not is_known(own, said.get("tensordesc_meta") or ()):
        found += [f"a descriptor for '{one.name}'" for one in own if "tensordesc" in one.type]
    if said["num_ctas"] != 1:
        found.append(f"clusters of {said['num_ctas']} blocks (num_ctas)")
    if said.get("launch_cooperative_grid"):
        found.append("a cooperative launch")
    if said.get("profile_scratch_size"):
        found.append("memory for the profiler")
    return ", ".join(found)


def parameter(said: Said) -> Parameter:
    """What one of the source is given."""
    if said.points is not None:
        elements = ELEMENTS.get(said.points)
        text = f"a pointer to {said.points}"

        def pointer(value: Any, axes: Axes) -> list[Any]:
            return [array(value, elements, multiple=said.multiple)]

        return Parameter(said.name, text, pointer)
    if said.multiple == 1:
        return Parameter(said.name, said.type, scalar)

    def divisible(value: Any, axes: Axes) -> list[Any]:
        return [{"value": value, "multiple_of": said.multiple}]

    return Parameter(said.name, f"{said.type}, a multiple of {said.multiple}", divisible)
