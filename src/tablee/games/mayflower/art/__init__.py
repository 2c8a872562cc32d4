"""The drawings of Mayflower: everything on the map as SVG, generated from the faces and the coast, without external images."""
