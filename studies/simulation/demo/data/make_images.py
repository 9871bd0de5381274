"""Draws the twelve pictures of the demo studies: `python studies/simulation/demo/data/make_images.py [FOLDER]`."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from PIL import Image, ImageDraw

WIDTH, HEIGHT = 640, 480
SCALE = 2
"""Drawn larger and then reduced, so that edges are smooth."""
COLORS = 224
SEED = 20250301

Color = tuple[int, int, int]
Points = Sequence[tuple[float, float]]

WHITE, BLACK, SUN = (255, 255, 255), (30, 32, 40), (255, 214, 92)
BROWN, DARK_GREEN, GREEN, LIGHT_GREEN = (121, 85, 61), (38, 94, 66), (92, 158, 84), (151, 196, 110)
RED, ORANGE, YELLOW, BLUE, SAND = (205, 62, 55), (232, 133, 58), (244, 200, 66), (52, 108, 176), (233, 208, 158)


class Canvas:
    """A picture in the coordinates of its final size."""

    def __init__(self, top: Color, bottom: Color) -> None:
        self.image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE))
        self.draw = ImageDraw.Draw(self.image)
        self.shade(0, HEIGHT, top, bottom)

    def shade(self, start: float, stop: float, top: Color, bottom: Color) -> None:
        """Fill a band of rows with a gradient."""
        first, last = round(start * SCALE), round(stop * SCALE)
        for row in range(first, last):
            share = (row - first) / max(1, last - first - 1)
            color = tuple(round(a + (b - a) * share) for a, b in zip(top, bottom, strict=True))
            self.draw.line([(0, row), (WIDTH * SCALE, row)], fill=color)

    def box(self, left: float, top: float, right: float, bottom: float, color: Color, *, radius: float = 0) -> None:
        corners = [left * SCALE, top * SCALE, right * SCALE, bottom * SCALE]
        self.draw.rounded_rectangle(corners, radius=radius * SCALE, fill=color)

    def disc(self, x: float, y: float, radius: float, color: Color, *, height: float = 1.0) -> None:
        corners = [(x - radius), (y - radius * height), (x + radius), (y + radius * height)]
        self.draw.ellipse([corner * SCALE for corner in corners], fill=color)

    def shape(self, points: Points, color: Color) -> None:
        self.draw.polygon([(x * SCALE, y * SCALE) for x, y in points], fill=color)

    def stroke(self, points: Points, color: Color, width: float = 3) -> None:
        scaled = [(x * SCALE, y * SCALE) for x, y in points]
        self.draw.line(scaled, fill=color, width=round(width * SCALE), joint="curve")

    def hill(self, x: float, y: float, radius: float, color: Color) -> None:
        self.disc(x, y + radius * 0.5, radius, color, height=0.5)

    def finish(self) -> Image.Image:
        small = self.image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
        return small.quantize(COLORS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def add_cloud(canvas: Canvas, x: float, y: float, size: float) -> None:
    for step, lift in ((-1.1, 0.25), (-0.4, -0.15), (0.4, 0.0), (1.1, 0.3)):
        canvas.disc(x + step * size, y + lift * size, size * 0.75, (247, 250, 252), height=0.7)


def add_pine(canvas: Canvas, x: float, y: float, size: float, *, is_snowy: bool = False) -> None:
    canvas.box(x - size * 0.07, y - size * 0.2, x + size * 0.07, y, BROWN)
    for level in range(3):
        base, wide = y - size * (0.15 + 0.27 * level), size * (0.36 - 0.08 * level)
        canvas.shape([(x - wide, base), (x + wide, base), (x, base - size * 0.42)], DARK_GREEN)
        if is_snowy:
            tip = base - size * 0.42
            canvas.shape([(x - wide * 0.4, tip + size * 0.17), (x + wide * 0.4, tip + size * 0.17), (x, tip)], WHITE)


def add_tree(canvas: Canvas, x: float, y: float, size: float, color: Color = GREEN) -> None:
    canvas.box(x - size * 0.08, y - size * 0.5, x + size * 0.08, y, BROWN)
    for dx, dy in ((-0.25, -0.6), (0.25, -0.6), (0.0, -0.85)):
        canvas.disc(x + dx * size, y + dy * size, size * 0.32, color)


def draw_sailboat(canvas: Canvas, rng: Random) -> None:
    for x, peak in ((90, 120), (300, 70), (520, 130)):
        canvas.shape([(x - 190, 270), (x + 190, 270), (x, peak)], (106, 122, 150))
        canvas.shape([(x - 40, peak + 42), (x + 40, peak + 42), (x, peak)], WHITE)
    canvas.shade(270, HEIGHT, (86, 150, 196), (36, 88, 140))
    for _ in range(26):
        x, y = rng.uniform(0, WIDTH), rng.uniform(290, 470)
        canvas.stroke([(x, y), (x + rng.uniform(20, 60), y)], (140, 188, 220), 1.5)
    canvas.shape([(300, 150), (300, 330), (190, 330)], RED)
    canvas.shape([(312, 180), (312, 330), (390, 330)], WHITE)
    canvas.stroke([(306, 140), (306, 350)], BROWN, 5)
    canvas.shape([(180, 345), (410, 345), (370, 390), (215, 390)], (92, 58, 40))


def draw_house(canvas: Canvas, rng: Random) -> None:
    canvas.disc(545, 85, 42, SUN)
    canvas.hill(150, 300, 420, LIGHT_GREEN)
    canvas.hill(560, 330, 420, GREEN)
    canvas.shape([(280, 480), (400, 480), (345, 372), (318, 372)], SAND)
    canvas.box(220, 240, 440, 375, (246, 232, 208))
    canvas.shape([(195, 245), (465, 245), (330, 140)], RED)
    canvas.box(385, 150, 410, 205, (150, 70, 60))
    canvas.box(305, 300, 355, 375, BROWN)
    for left in (240, 378):
        canvas.box(left, 275, left + 45, 320, (150, 200, 226))
        canvas.stroke([(left + 22, 275), (left + 22, 320)], WHITE, 3)
    add_tree(canvas, 530, 380, 170)
    for _ in range(30):
        canvas.disc(rng.uniform(20, 250), rng.uniform(400, 470), 4, rng.choice([RED, YELLOW, WHITE]))


def draw_city(canvas: Canvas, rng: Random) -> None:
    for _ in range(70):
        canvas.disc(rng.uniform(0, WIDTH), rng.uniform(0, 260), rng.uniform(0.7, 1.8), WHITE)
    canvas.disc(510, 95, 46, (245, 240, 214))
    canvas.disc(490, 84, 42, (22, 30, 66))
    left = 0.0
    while left < WIDTH:
        width, top = rng.uniform(50, 90), rng.uniform(150, 330)
        canvas.box(left, top, left + width - 4, HEIGHT, rng.choice([(44, 52, 84), (56, 62, 96), (36, 42, 70)]))
        for x in range(round(left) + 9, round(left + width) - 16, 16):
            for y in range(round(top) + 14, HEIGHT - 20, 24):
                if rng.random() < 0.55:
                    canvas.box(x, y, x + 8, y + 12, (250, 214, 120))
        left += width


def draw_desert(canvas: Canvas, rng: Random) -> None:
    canvas.disc(150, 120, 55, (255, 240, 190))
    canvas.hill(500, 260, 380, (226, 168, 100))
    canvas.hill(80, 300, 400, (214, 150, 86))
    canvas.shade(400, HEIGHT, (222, 166, 96), (196, 132, 72))
    canvas.box(380, 180, 425, 430, (72, 130, 82), radius=22)
    for points in ([(385, 330), (320, 330), (320, 250)], [(420, 300), (490, 300), (490, 215)]):
        canvas.stroke(points, (72, 130, 82), 30)
        canvas.disc(*points[1], 15, (72, 130, 82))
        canvas.disc(*points[2], 15, (72, 130, 82))
    for _ in range(14):
        canvas.disc(rng.uniform(20, 620), rng.uniform(425, 470), rng.uniform(4, 11), (150, 104, 66), height=0.6)


def draw_beach(canvas: Canvas, rng: Random) -> None:
    canvas.disc(80, 70, 38, SUN)
    canvas.shade(190, 310, (44, 130, 182), (110, 190, 210))
    canvas.shade(310, HEIGHT, (244, 224, 178), (228, 200, 146))
    canvas.shape([(0, 310), (640, 310), (640, 322), (420, 332), (200, 320), (0, 336)], WHITE)
    canvas.stroke([(250, 200), (280, 420)], (240, 240, 240), 7)
    for number in range(6):
        canvas.draw.pieslice(
            [120 * SCALE, 110 * SCALE, 370 * SCALE, 330 * SCALE],
            175 + number * 30,
            205 + number * 30,
            fill=(RED, WHITE)[number % 2],
        )
    canvas.disc(470, 400, 38, YELLOW)
    canvas.draw.pieslice([432 * SCALE, 362 * SCALE, 508 * SCALE, 438 * SCALE], 200, 270, fill=BLUE)
    canvas.draw.pieslice([432 * SCALE, 362 * SCALE, 508 * SCALE, 438 * SCALE], 20, 90, fill=RED)
    for _ in range(20):
        canvas.disc(rng.uniform(0, WIDTH), rng.uniform(350, 475), 2, (206, 178, 124))


def draw_balloons(canvas: Canvas, rng: Random) -> None:
    add_cloud(canvas, 110, 90, 34)
    add_cloud(canvas, 520, 220, 28)
    canvas.hill(120, 340, 360, LIGHT_GREEN)
    canvas.hill(500, 360, 380, GREEN)
    for x, y, size, colors in ((220, 170, 95, (RED, YELLOW)), (450, 130, 62, (BLUE, WHITE))):
        canvas.shape(
            [(x - size * 0.7, y + size * 0.6), (x + size * 0.7, y + size * 0.6), (x, y + size * 1.5)], colors[0]
        )
        canvas.disc(x, y, size, colors[0])
        canvas.disc(x, y, size * 0.62, colors[1], height=1.6)
        canvas.disc(x, y, size * 0.25, colors[0], height=4.0)
        for side in (-1, 1):
            canvas.stroke([(x + side * size * 0.3, y + size), (x + side * size * 0.16, y + size * 1.65)], BROWN, 2)
        canvas.box(x - size * 0.2, y + size * 1.62, x + size * 0.2, y + size * 1.95, BROWN, radius=3)
    for _ in range(9):
        add_tree(canvas, rng.uniform(20, 620), rng.uniform(410, 460), rng.uniform(26, 40), DARK_GREEN)


def draw_train(canvas: Canvas, rng: Random) -> None:
    add_cloud(canvas, 480, 80, 36)
    canvas.hill(320, 300, 520, LIGHT_GREEN)
    for x in range(-20, 680, 110):
        canvas.box(x, 330, x + 26, HEIGHT, (150, 140, 132))
    canvas.box(0, 318, WIDTH, 342, (170, 160, 150))
    for left, color in ((90, RED), (235, BLUE), (380, BLUE)):
        canvas.box(left, 225, left + 132, 300, color, radius=8)
        for window in range(3):
            canvas.box(left + 14 + 38 * window, 240, left + 42 + 38 * window, 268, (214, 236, 246), radius=3)
        for wheel in (30, 100):
            canvas.disc(left + wheel, 304, 15, BLACK)
            canvas.disc(left + wheel, 304, 6, (170, 170, 176))
    canvas.box(108, 185, 132, 228, BLACK)
    for step in range(5):
        canvas.disc(125 + step * 26, 165 - step * 17, 12 + step * 4 + rng.uniform(0, 3), (226, 228, 232))


def draw_flowers(canvas: Canvas, rng: Random) -> None:
    canvas.box(380, 50, 600, 260, (250, 250, 246))
    canvas.box(394, 64, 586, 246, (158, 206, 232))
    canvas.stroke([(490, 64), (490, 246)], (250, 250, 246), 8)
    canvas.shade(350, HEIGHT, (160, 112, 76), (128, 86, 56))
    for x, y, color in ((190, 150, RED), (260, 110, YELLOW), (325, 165, (214, 120, 176))):
        canvas.stroke([(255 + (x - 255) * 0.2, 300), (x, y)], DARK_GREEN, 6)
        for dx, dy in ((0, -1), (0.95, -0.3), (0.6, 0.8), (-0.6, 0.8), (-0.95, -0.3)):
            canvas.disc(x + dx * 24, y + dy * 24, 19, color)
        canvas.disc(x, y, 14, (110, 74, 44))
    canvas.shape([(205, 280), (305, 280), (330, 350), (300, 420), (210, 420), (180, 350)], BLUE)
    canvas.shape([(196, 330), (314, 330), (322, 350), (188, 350)], (120, 166, 216))
    for x in (420, 470):
        canvas.disc(x, 410, 24 + rng.uniform(-2, 2), (206, 74, 58))


def draw_snowman(canvas: Canvas, rng: Random) -> None:
    canvas.hill(320, 320, 560, (240, 246, 252))
    for x, y, size in ((90, 370, 200), (190, 350, 140), (560, 380, 220)):
        add_pine(canvas, x, y, size, is_snowy=True)
    for y, radius in ((390, 70), (290, 50), (218, 34)):
        canvas.disc(350, y, radius + 2, (206, 220, 236))
        canvas.disc(348, y - 1, radius, WHITE)
    canvas.box(310, 184, 388, 194, BLACK)
    canvas.box(325, 140, 373, 188, BLACK)
    canvas.shape([(350, 216), (350, 226), (392, 224)], ORANGE)
    for x in (337, 361):
        canvas.disc(x, 208, 4, BLACK)
    canvas.box(318, 246, 380, 260, RED, radius=6)
    canvas.box(366, 250, 382, 305, RED, radius=6)
    for side, x in ((-1, 302), (1, 396)):
        canvas.stroke([(x, 285), (x + side * 62, 250)], BROWN, 5)
    for _ in range(80):
        canvas.disc(rng.uniform(0, WIDTH), rng.uniform(0, HEIGHT), rng.uniform(1.5, 3.2), WHITE)


def draw_car(canvas: Canvas, rng: Random) -> None:
    add_cloud(canvas, 150, 80, 32)
    canvas.hill(140, 230, 330, DARK_GREEN)
    canvas.hill(500, 250, 360, GREEN)
    canvas.shade(330, 350, LIGHT_GREEN, LIGHT_GREEN)
    canvas.shade(350, 450, (88, 90, 98), (76, 78, 86))
    canvas.shade(450, HEIGHT, LIGHT_GREEN, GREEN)
    for x in range(10, WIDTH, 90):
        canvas.box(x, 396, x + 46, 403, (240, 236, 210))
    canvas.shape([(255, 330), (290, 272), (405, 272), (450, 330)], YELLOW)
    canvas.shape([(275, 326), (299, 284), (342, 284), (342, 326)], (190, 224, 240))
    canvas.shape([(352, 326), (352, 284), (396, 284), (430, 326)], (190, 224, 240))
    canvas.box(205, 325, 495, 385, YELLOW, radius=18)
    canvas.disc(488, 348, 8, (255, 246, 206))
    for x in (268, 432):
        canvas.disc(x, 386, 32, BLACK)
        canvas.disc(x, 386, 14, (176, 178, 184))
    for _ in range(5):
        add_tree(canvas, rng.uniform(20, 620), 345, rng.uniform(40, 60), DARK_GREEN)


def draw_lighthouse(canvas: Canvas, rng: Random) -> None:
    canvas.disc(120, 250, 46, (255, 226, 150))
    canvas.shade(290, HEIGHT, (70, 104, 150), (32, 58, 100))
    canvas.stroke([(20, 300), (210, 300)], (240, 200, 150), 4)
    canvas.shape([(330, 480), (360, 350), (420, 320), (640, 310), (640, 480)], (92, 84, 80))
    canvas.shape([(455, 325), (545, 325), (528, 120), (472, 120)], WHITE)
    for top, bottom in ((160, 200), (240, 282)):
        left, right = 472 - (top - 120) * 0.083, 528 + (top - 120) * 0.083
        grow = (bottom - top) * 0.083
        canvas.shape([(left, top), (right, top), (right + grow, bottom), (left - grow, bottom)], RED)
    canvas.shape([(480, 92), (90, 40), (90, 130)], (252, 232, 176))
    canvas.box(478, 76, 522, 120, (60, 64, 76))
    canvas.box(486, 84, 514, 114, (255, 238, 160))
    canvas.shape([(470, 78), (530, 78), (500, 48)], RED)
    for _ in range(22):
        x, y = rng.uniform(0, 330), rng.uniform(320, 470)
        canvas.stroke([(x, y), (x + 34, y)], (120, 152, 190), 1.5)
    for x, y in ((240, 170), (300, 205), (200, 215)):
        canvas.stroke([(x - 16, y - 8), (x, y), (x + 16, y - 8)], BLACK, 3)


def draw_kite(canvas: Canvas, rng: Random) -> None:
    add_cloud(canvas, 130, 110, 38)
    add_cloud(canvas, 330, 60, 24)
    canvas.shade(340, HEIGHT, LIGHT_GREEN, GREEN)
    add_tree(canvas, 110, 400, 210, (74, 140, 76))
    canvas.stroke([(300, 400), (360, 320), (420, 230), (480, 150)], (90, 90, 96), 1.5)
    canvas.shape([(480, 70), (530, 130), (480, 210), (430, 130)], (140, 84, 170))
    canvas.shape([(480, 70), (530, 130), (480, 130)], ORANGE)
    canvas.shape([(480, 130), (480, 210), (430, 130)], ORANGE)
    canvas.stroke([(480, 210), (500, 240), (470, 262), (495, 290)], (140, 84, 170), 4)
    canvas.disc(292, 352, 14, (236, 188, 150))
    canvas.box(280, 364, 304, 410, BLUE, radius=6)
    canvas.stroke([(300, 374), (320, 386)], (236, 188, 150), 6)
    for x in (286, 298):
        canvas.stroke([(x, 408), (x, 440)], BLACK, 6)
    for _ in range(60):
        x, y = rng.uniform(0, WIDTH), rng.uniform(360, 475)
        canvas.stroke([(x, y), (x + 3, y - 9)], (70, 130, 66), 1.5)


Scene = tuple[str, Color, Color, Callable[[Canvas, Random], None]]
DAY = ((126, 186, 226), (214, 234, 244))
SCENES: tuple[Scene, ...] = (
    ("sailboat", *DAY, draw_sailboat),
    ("house", *DAY, draw_house),
    ("city", (14, 20, 50), (60, 58, 104), draw_city),
    ("desert", (250, 180, 110), (255, 224, 170), draw_desert),
    ("beach", *DAY, draw_beach),
    ("balloons", *DAY, draw_balloons),
    ("train", *DAY, draw_train),
    ("flowers", (236, 222, 200), (222, 204, 178), draw_flowers),
    ("snowman", (150, 176, 206), (216, 228, 240), draw_snowman),
    ("car", *DAY, draw_car),
    ("lighthouse", (96, 92, 140), (250, 170, 130), draw_lighthouse),
    ("kite", *DAY, draw_kite),
)


def make_images(folder: Path) -> list[Path]:
    """Draw every scene into a PNG of 640 by 480 pixels; the same pixels every time."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, (name, top, bottom, draw) in enumerate(SCENES):
        canvas = Canvas(top, bottom)
        draw(canvas, Random(SEED + number))  # noqa: S311 - decoration, not a secret
        paths.append(folder / f"{name}.png")
        canvas.finish().save(paths[-1], optimize=True)
    return paths


if __name__ == "__main__":
    make_images(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "images")
