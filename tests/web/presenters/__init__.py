"""What pages show, without a server."""
