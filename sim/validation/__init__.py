"""Simulated against measured: benchmarks that run on a machine here and on hardware elsewhere.

    simrun validate workloads/validation                      # against what is published
    simrun validate workloads/validation --against h200.json  # against what a GPU measured

A folder of benchmarks has `benchmarks.yaml`, which says for each variant of the workloads beside it
what its figure is, what it shows, and what its figure was used for (its class).  Errors are
|simulated - measured| / measured.
"""
