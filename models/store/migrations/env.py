"""Run by Alembic. The caller has begun the one transaction that all steps share, with foreign keys off."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], render_as_batch=True)
context.run_migrations()
