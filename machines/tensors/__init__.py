"""Tensor operations on numbers: where elements lie, whether sizes fit, and what is computed.

The interpreter of the IR and the cores of machines with tensor units run rows through this.
"""
