"""A class or a club: many people who know one code, and many tables at once."""
