"""Graphs of ONNX made networks, node by node."""
