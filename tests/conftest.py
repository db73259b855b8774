"""What holds for all tests: the machine may be slow, so no example of a property has a deadline."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
