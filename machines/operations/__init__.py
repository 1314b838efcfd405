"""What a row of the operation table is; the rows are in `machines.instructions`."""
