"""The table in a browser tab: a static web site whose pages run this very Python in a Web Worker, without a server."""
