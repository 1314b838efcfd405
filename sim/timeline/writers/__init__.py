"""The formats of timelines that come with simrun, one file each."""
