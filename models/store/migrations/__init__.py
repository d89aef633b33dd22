"""Alembic's folder: `env.py` runs the numbered scripts of `versions` over a connection that `upgrade.py` passes in."""
