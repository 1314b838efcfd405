"""Neural networks as ONNX models, and the scripts that make them."""
