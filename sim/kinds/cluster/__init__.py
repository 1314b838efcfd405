"""Chips of clusters: how workloads run on them, and what results say."""
