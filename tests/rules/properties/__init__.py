"""What must hold whatever happens: properties of the rules, shown on campaigns of random legal orders."""
