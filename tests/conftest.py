"""What holds for every test: hypothesis judges behaviour, never the speed of a busy machine."""

from hypothesis import HealthCheck, settings

settings.register_profile("gamut", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=60)
settings.load_profile("gamut")
