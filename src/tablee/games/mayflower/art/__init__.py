"""The drawings of Mayflower: everything on the map as SVG, from the faces and the coast, with no picture from elsewhere."""
