"""What happens in a run, as tracks with spans and instants on them: one form for every kind of
machine.  See README.md beside this file."""
