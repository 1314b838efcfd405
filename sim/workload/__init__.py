"""A workload file, and what it says of inputs, arguments and expectations."""
