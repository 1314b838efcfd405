"""SIMT machines: warps of threads on streaming multiprocessors.  What runs them is
`sim.cores.simt.run.CORE`."""
