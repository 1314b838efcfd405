"""EPIC machines: how a workload becomes a run of one thread."""
