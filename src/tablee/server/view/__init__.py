"""What a screen shows: a view becomes words, words and views become parts, parts become pictures that many screens share."""
