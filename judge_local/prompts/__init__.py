"""The words of the judge prompt by version, and the chat template they are put into. prompt.py builds with them."""
