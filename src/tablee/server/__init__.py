"""Web server: tables in the browser, over HTTP and WebSockets."""
