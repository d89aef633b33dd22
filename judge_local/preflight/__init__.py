"""Preflight: canned items with known answers that tell a person whether to trust a judge, before it grades anything."""
