"""Files of rules: parsed by `compiler.levels.arrays.rule_reader`, never imported."""
