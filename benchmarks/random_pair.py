"""A pair of SmolVLM-256M's size with random weights: SigLIP-B/16 at 512 pixels beside the bundled 135M text model.

What it says is noise; what it costs is what a real pair of that size costs.
"""

from pathlib import Path

import numpy as np

from tools.vision_pair.gguf_writer import VisionConfig, projector_shapes, write_projector

SIGLIP_B_16 = VisionConfig(
    name="random SigLIP-B/16 at 512",
    width=768,
    layers=12,
    heads=12,
    feed_forward=3072,
    image_size=512,
    patch_size=16,
    text_width=576,  # SmolLM2-135M
    mean=(0.5, 0.5, 0.5),
    std=(0.5, 0.5, 0.5),
)


def random_projector(path: Path, config: VisionConfig = SIGLIP_B_16, seed: int = 0) -> Path:
    """Write that projector unless it is there; norms are 1, the rest is normal with a deviation of 0.02."""
    if path.exists():
        return path
    rng = np.random.default_rng(seed)
    tensors = {}
    for name, shape in projector_shapes(config).items():
        if "ln" in name:
            fill = 1.0 if name.endswith("weight") else 0.0
            tensors[name] = np.full(shape, fill, dtype=np.float32)
        else:
            tensors[name] = rng.normal(0.0, 0.02, size=shape).astype(np.float32)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    write_projector(part, config, tensors)
    part.replace(path)
    return path
