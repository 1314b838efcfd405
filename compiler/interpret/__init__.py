"""What IR means: the interpreters that judge passes and, through them, everything else."""
