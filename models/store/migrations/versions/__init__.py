"""The migrations, one script a schema: NNNN_what.py leads from the schema before it to NNNN."""
