"""Files of rules: parsed by `compiler.graph.rewriting`, never imported."""
