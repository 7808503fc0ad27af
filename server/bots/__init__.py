"""Computer players: they see a player's view and return orders, like anybody else."""
