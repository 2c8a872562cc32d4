"""What runs in the browser: tables kept on the device, and the answers that a server would give to their pages."""
