"""What the API and the pages share of HTTP: the edge, limits, signing in, refusals, answers, figures, logs."""
