"""Where a run is at rest, between steps of its host: figures of regions, and states in files."""
