"""YAML text → frozen, typed, checked `Machine`; the door is `machines.description.load`."""
