"""The logic behind the pytest plugin; nothing here knows pytest."""
