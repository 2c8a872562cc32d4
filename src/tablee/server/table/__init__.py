"""One table: who sits at it, what is written down, who looks, who thinks."""
