"""Meta-rubrics, the rules that compile them, and the checklists that come out."""
