"""What a person does with a project: import, grade, report, export. Shared by command line and window; no Qt, no SQL."""
