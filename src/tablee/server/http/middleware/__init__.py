"""The door: how much anybody may ask for, and in what way."""
