"""The shapes and colours of the worlds, by their names in captions."""

SHAPES = ("square", "rectangle", "triangle", "pentagon", "cross", "circle", "semicircle", "ellipse")

COLORS: dict[str, tuple[float, float, float]] = {
    "red": (1.0, 0.0, 0.0),
    "green": (0.0, 1.0, 0.0),
    "blue": (0.0, 0.0, 1.0),
    "yellow": (1.0, 1.0, 0.0),
    "magenta": (1.0, 0.0, 1.0),
    "cyan": (0.0, 1.0, 1.0),
    "gray": (0.5, 0.5, 0.5),
}

BACKGROUNDS: dict[str, tuple[float, float, float]] = {"black": (0.0, 0.0, 0.0), "white": (1.0, 1.0, 1.0), **COLORS}


def apply_shade(rgb: tuple[float, float, float], shade: float) -> tuple[float, float, float]:
    """Return a colour made darker (`shade` in [-1, 0)) or lighter (`shade` in (0, 1]); channels are in [0, 1]."""
    red, green, blue = rgb
    if shade < 0.0:
        factor = 1.0 + shade
        return (red * factor, green * factor, blue * factor)
    if shade > 0.0:
        return (red + (1.0 - red) * shade, green + (1.0 - green) * shade, blue + (1.0 - blue) * shade)
    return rgb
