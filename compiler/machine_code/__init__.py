"""What targets that select machine instructions and give out registers have in common: selection
rules, liveness, interference, colouring and spilling (README.md)."""
