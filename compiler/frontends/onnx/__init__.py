"""Front end for ONNX models; ONNX.md beside this folder says what is taken, and what is done where
ONNX leaves it open.

reading/      the file: weights that stay in it, tensors, names
emitting/     what the rows of the table are written in: values, code of operators `nn.*`, calls
operators/    the table: how each operator of ONNX is said in operators `nn.*`, a file a family
translation/  a graph from its inputs on: constants folded, functions expanded
"""

from compiler.frontends import Frontend

PLUGIN = Frontend(
    "onnx",
    (".onnx",),
    "Neural networks as ONNX models.",
    "compiler.frontends.onnx.frontend:read",
    binary_suffixes=(".onnx",),
    default_machine="mlu370",
    opens_files=True,
    level="network",
    operators="compiler.frontends.onnx.operators:listed",
)
