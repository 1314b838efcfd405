"""SSA names of a function: where phis stand, what is called what, and the way back."""
