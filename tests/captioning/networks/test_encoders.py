import numpy as np
import pytest
import torch

from captioning.api import ImageInput, Images, MissingInput, Regions
from captioning.networks.encoders import PassedRegions, SmallCnn
from captioning.networks.network import EncodedRegions
from captioning.networks.tensors import move_images


@pytest.mark.parametrize(("as_grid", "n_regions"), [(True, 16), (False, 1)])
def test_the_cnn_gives_a_grid_or_one_region_independent_of_the_batch(as_grid: bool, n_regions: int) -> None:
    torch.manual_seed(0)
    cnn = SmallCnn((64, 64), 5, channels=(4, 8, 8, 16), as_grid=as_grid)
    pixels = torch.rand(3, 3, 64, 64)
    with torch.no_grad():
        together = cnn(pixels)
        alone = cnn(pixels[1:2])
    assert together.values.shape == (3, n_regions, 5)
    assert together.mask.shape == (3, n_regions)
    assert together.mask.all()
    torch.testing.assert_close(together.values[1:2], alone.values)


def test_given_regions_are_projected_with_relu() -> None:
    torch.manual_seed(0)
    encoder = PassedRegions(3, 2)
    values = torch.randn(2, 4, 3)
    mask = torch.tensor([[True] * 4, [True] + [False] * 3])
    encoded = encoder(EncodedRegions(values, mask))
    expected = (values @ encoder.projection.weight.T + encoder.projection.bias).clamp(min=0)
    torch.testing.assert_close(encoded.values, expected)
    torch.testing.assert_close(encoded.mean[1], expected[1, 0])


def test_images_become_tensors() -> None:
    pixels = np.arange(2 * 2 * 4 * 3, dtype=np.uint8).reshape(2, 2, 4, 3)
    features = Regions(np.ones((2, 5, 3), dtype=np.float32), np.array([1, 2]))
    images = Images(keys=("a", "b"), pixels=pixels, features=features)
    moved = move_images(images, inputs=ImageInput.PIXELS, device="cpu")
    assert isinstance(moved, torch.Tensor)
    np.testing.assert_allclose(moved.numpy(), np.moveaxis(pixels, 3, 1) / 255, rtol=1e-6)
    regions = move_images(images, inputs=ImageInput.FEATURES, device="cpu")
    assert isinstance(regions, EncodedRegions)
    assert regions.values.shape == (2, 2, 3)
    assert regions.mask.tolist() == [[True, False], [True, True]]
    with pytest.raises(MissingInput, match="the network needs pixels"):
        move_images(Images(keys=("a",)), inputs=ImageInput.PIXELS, device="cpu")
