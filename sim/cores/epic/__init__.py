"""EPIC machines: bundles issued in order.  What runs them is `sim.cores.epic.run.CORE`."""
