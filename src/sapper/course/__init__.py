"""The course's agent: how its knowledge grows."""
