"""What is asked of the server and answered: the contract, the pages, the live connections."""
