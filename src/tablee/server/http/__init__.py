"""HTTP layer: the JSON API, the HTML pages and the WebSocket connections."""
