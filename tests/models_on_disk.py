"""Where tests keep the requantized bundled model, so that it is made once a machine and not once a test."""

import os
from pathlib import Path

import platformdirs

Q8_CACHE = Path(os.environ.get("GAMUT_TEST_CACHE") or platformdirs.user_cache_dir("gamut-desktop-tests")) / "models"
