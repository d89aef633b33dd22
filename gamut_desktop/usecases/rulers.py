"""A stored ruler in a person's words: where the judge ran, and the facts one asks about first."""

import json
from typing import Any


def where_runs(manifest: str) -> str:
    """What the judge ran on: "cpu, 2 threads"; nothing for a judge that is a rule."""
    facts: dict[str, Any] = json.loads(manifest)
    devices = [str(device) for device in facts.get("devices") or []]
    if facts.get("threads") is not None:
        devices.append(f"{facts['threads']} threads")
    return ", ".join(devices)


def in_one_line(manifest: str) -> str:
    """Quantization, place, style, seed and prompt, as far as the judge has them."""
    facts: dict[str, Any] = json.loads(manifest)
    shown = [str(facts[name]) for name in ("quantization", "style") if facts.get(name) is not None]
    if place := where_runs(manifest):
        shown.insert(1, place)
    shown += [
        f"{word} {facts[name]}"
        for name, word in (("seed", "seed"), ("prompt", "prompt"))
        if facts.get(name) is not None
    ]
    if facts.get("sight") == "none":
        shown.append("text only")
    return " · ".join(shown)
