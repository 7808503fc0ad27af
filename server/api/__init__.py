"""The REST API: one router a subject. Knows HTTP and JSON, and leaves everything else to ``play``."""
