"""Views for clients: game views and events become text, HTML fragments, and rendered views that many clients share."""
