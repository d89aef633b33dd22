"""What a person does with a project: import, grade, report, export. For command line and window; no Qt, no SQL."""
