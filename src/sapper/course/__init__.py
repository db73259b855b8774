"""The course's agent: tracing how its knowledge grows, and checking and watching a student's agent."""
