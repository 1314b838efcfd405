"""What a run gives: results, counters, profiles, baselines."""
