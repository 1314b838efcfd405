"""What onnxruntime gives for the inputs of a case of an ONNX model: `--against onnxruntime`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from machines.diagnostics import input_error
from machines.elements import as_elements, as_numbers
from machines.levels.network.function import Placed
from sim.prepared_case import PreparedCase
from sim.workload.comparison import Expected

RTOL, ATOL = 1e-3, 1e-5
"""How far floats may be off: a sum of thousands of products in another order is off by so much."""
PACKAGE = "onnxruntime"
_FOLDER = "session.model_external_initializers_file_folder_path"
"""Its option for where external data are of a model that is given as bytes."""


def expectations(prepared: PreparedCase) -> dict[str, Expected]:
    """Of each output; raises InputError if the package is missing, or does not run the model."""
    workload, function = prepared.compiled.workload, prepared.compiled.declared.body
    path = workload.program
    if path.suffix != ".onnx" or workload.source is not None:
        raise input_error(f"{PACKAGE} runs ONNX models, and {path.name} is none")
    session = _session(path, getattr(workload.form, "tensors", ()))
    known = getattr(workload.form, "values", {})
    feeds = dict(_feeds(session, function.inputs, prepared.call.inputs, known))
    try:
        found = session.run(None, feeds)
    except Exception as error:  # it has exceptions of its own
        raise _failed(path.name, error) from None
    outputs = zip(function.outputs, found, strict=True)
    return {place.name: _expected(place, array) for place, array in outputs}


def _session(path: Path, tensors: Sequence[str]) -> Any:
    """The model, with further outputs."""
    try:
        import onnxruntime
    except ImportError:
        message = f"{PACKAGE} is not installed: there is nothing to compare with"
        raise input_error(message, hint=f"pip install {PACKAGE}") from None
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.add_session_config_entry(_FOLDER, str(path.parent.absolute()))
    try:
        model = _with_outputs(path, tensors) if tensors else str(path)
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise _failed(str(path), error) from None


def _with_outputs(path: Path, tensors: Sequence[str]) -> bytes:
    import onnx

    model = onnx.load(path, load_external_data=False)
    has = {one.name for one in model.graph.output}
    further = dict.fromkeys(name for name in tensors if name not in has)
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in further)
    return model.SerializeToString()


def _failed(path: str, error: Exception) -> Exception:
    return input_error(f"{PACKAGE} does not run {path}: {str(error).splitlines()[0]}")


_TYPES = {
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
    "tensor(double)": np.float64,
    "tensor(bool)": np.bool_,
    **{f"tensor({n}int{b})": np.dtype(f"{n}int{b}") for n in ("", "u") for b in (8, 16, 32, 64)},
}


def _feeds(
    session: Any, places: tuple[Placed, ...], inputs: Any, known: dict[str, Any]
) -> Iterator[tuple[str, np.ndarray]]:
    """Its inputs: those of the network in the same order, and those whose values are bound."""
    left = iter(places)
    for one in session.get_inputs():
        if one.type not in _TYPES:
            raise input_error(f"input '{one.name}' is {one.type}, which numpy has not got")
        if one.name in known:
            value = np.array(known[one.name])
        elif 0 in one.shape:  # there is nothing of it that a network could have
            value = np.zeros([n if isinstance(n, int) else 1 for n in one.shape])
        else:
            value = as_numbers(inputs[next(left).name])
        yield one.name, np.ascontiguousarray(value).astype(_TYPES[one.type])


def _expected(place: Placed, array: np.ndarray) -> Expected:
    """An output in the element type that the network has for it."""
    type = place.type.element
    value = as_numbers(as_elements(array, type)).reshape(place.type.shape)
    relative, absolute = (RTOL, ATOL) if type.is_float else (0.0, 0.0)
    if type.is_float:
        value = value.astype(np.float64)
    with np.errstate(invalid="ignore"):
        tolerance = absolute + relative * np.abs(value)
    return Expected(place.name, value, tolerance, type.name, PACKAGE, relative, absolute, False)
