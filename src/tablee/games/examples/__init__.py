"""Small complete games to copy: the dice race, where everything lies open, and the orchard, with hands that nobody else sees."""
