"""What those who run a server can see of it, and what is done while it is calm."""
