"""SIMT machines: how a workload becomes kernels that a host launches."""
