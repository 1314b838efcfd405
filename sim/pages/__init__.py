"""Pages: one HTML file of a run, a comparison or a study, for the eye."""
