"""From a machine loop over virtual registers to a kernel over rotating ones."""
