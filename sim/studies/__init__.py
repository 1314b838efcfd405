"""What-if by the hundred: a study runs a workload at many points and keeps what comes out.

`study_file.py` reads what is asked, `plan.py` makes points of it, `point.py` runs one, `store.py`
keeps results, `conduct.py` has points run and stored, `table.py` tells.
"""
