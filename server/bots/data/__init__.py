"""Data of the computer players."""
