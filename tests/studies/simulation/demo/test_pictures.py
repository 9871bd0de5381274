import runpy

import numpy as np
from PIL import Image

from studies.simulation.demo.content import DATA


def test_the_pictures_are_those_that_the_script_draws(tmp_path):
    made = runpy.run_path(str(DATA / "make_images.py"))["make_images"](tmp_path)

    assert sorted(path.name for path in made) == sorted(path.name for path in (DATA / "images").iterdir())
    for path in made:
        drawn, kept = (np.asarray(Image.open(each).convert("RGB")) for each in (path, DATA / "images" / path.name))
        assert drawn.shape == (480, 640, 3)
        np.testing.assert_array_equal(drawn, kept)


def test_the_pictures_are_small():
    assert max(path.stat().st_size for path in (DATA / "images").iterdir()) < 40_000
