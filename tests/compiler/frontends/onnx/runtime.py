"""onnxruntime as the judge of a node."""

from __future__ import annotations

import numpy as np
import onnxruntime
from onnxruntime import InferenceSession

from machines.diagnostics import InputError
from tests.compiler.frontends.onnx.drawn import Node
from tests.compiler.frontends.onnx.running import read, run

onnxruntime.set_default_logger_severity(4)
CPU = ["CPUExecutionProvider"]


def judged(node: Node) -> str:
    """Equal, not run by the runtime, or refused as a part has no elements.  Raises AssertionError
    where it is wrong, or refused for another reason."""
    inputs = node.inputs
    try:
        model = node.model()
        wanted = InferenceSession(model.SerializeToString(), providers=CPU).run(None, inputs)
    except Exception:  # the runtime has not everything, and refuses what does not fit
        return "not run"
    try:
        found = run(read(model), inputs)
    except InputError as error:
        assert ": no elements: " in str(error), error
        return "no elements"
    for array, want in zip(found.values(), wanted, strict=True):
        what = f"{node.operator} {node.attributes} {[a.shape for a in inputs.values()]}"
        assert (array.dtype, array.shape) == (want.dtype, want.shape), what
        if want.dtype.kind == "f":
            np.testing.assert_allclose(array, want, rtol=1e-3, atol=1e-5, err_msg=what)
        elif node.operator.startswith("Q"):  # a product that lies between two steps goes either way
            assert np.abs(array.astype(int) - want.astype(int)).max(initial=0) <= 1, what
        else:
            np.testing.assert_array_equal(array, want, err_msg=what)
    return "equal"
