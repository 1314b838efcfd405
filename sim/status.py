"""How a run can end."""

DONE, FAULT, LIMIT, HANG, INTERRUPTED = "done", "fault", "limit", "hang", "interrupted"

EXIT_CODES = {DONE: 0, FAULT: 3, LIMIT: 3, HANG: 3, INTERRUPTED: 130}
"""Exit code of the command line by status; 1 if the run is done but its outputs are wrong."""
