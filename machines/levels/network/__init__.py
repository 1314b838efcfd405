"""Level `network`: functions of operators on tensors of known shapes."""
