"""ShapeWorld: worlds of coloured shapes, captions about them, and whether each caption is true."""
