"""How a network becomes tile form: a function a layer, with tensors in DRAM for parameters."""
