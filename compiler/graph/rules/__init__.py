"""Files of rules: parsed by `compiler.graph.rule_reader`, never imported."""
