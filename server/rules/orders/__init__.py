"""Orders: one file per family; each kind reads, checks and previews itself."""
