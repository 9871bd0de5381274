"""Encoders of images: given regions are projected; pixels are read by a small convolutional network."""

import torch
from torch import Tensor, nn

from captioning.networks.network import EncodedRegions

_GROUPS = 8
_CELL = 32
"""The length to which cells are reduced before they are read together."""


class PassedRegions(nn.Module):
    """Given feature vectors, projected linearly with ReLU."""

    def __init__(self, dimension: int, size: int) -> None:
        super().__init__()
        self.projection = nn.Linear(dimension, size)

    def forward(self, regions: EncodedRegions) -> EncodedRegions:
        """Return regions `(n, n_regions, size)` of given ones, `(n, n_regions, dimension)`."""
        return EncodedRegions(torch.relu(self.projection(regions.values)), regions.mask)


class SmallCnn(nn.Module):
    """A convolutional network for pixels of about 64x64, trained from scratch.

    Each layer halves height and width by a stride of 2, and is normalised by groups of channels, so that the result for
    an image does not depend on the rest of its batch. With `as_grid`, the regions are the cells of the last layer, with
    their coordinates appended; otherwise there is a single region, which is computed from all cells, so that it knows
    where things are (a mean over cells would not). What is in a cell is first reduced to a short vector, in the same
    way for all cells: with few training images, a layer on all channels of all cells learned the images by heart.
    """

    def __init__(self, shape: tuple[int, int], size: int, *, channels: tuple[int, ...], as_grid: bool) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        height, width = shape
        before = 3
        for after in channels:
            groups = _GROUPS if after % _GROUPS == 0 else 1
            layers += [
                nn.Conv2d(before, after, 3, stride=2, padding=1),
                nn.GroupNorm(groups, after),
                nn.ReLU(),
            ]
            before, height, width = after, (height + 1) // 2, (width + 1) // 2
        self.layers = nn.Sequential(*layers)
        self.reduction = None if as_grid else nn.Linear(before, _CELL)
        self.projection = nn.Linear(before + 2 if as_grid else _CELL * height * width, size)

    def forward(self, pixels: Tensor) -> EncodedRegions:
        """Return the regions, `(n, n_cells or 1, size)`, of pixels `(n, 3, height, width)` in [0, 1]."""
        maps = self.layers((pixels - 0.5).contiguous(memory_format=torch.channels_last))
        cells = maps.flatten(2).transpose(1, 2)
        if self.reduction is None:
            cells = torch.cat([cells, _place_cells(maps)], dim=2)
        else:
            cells = torch.relu(self.reduction(cells)).flatten(1).unsqueeze(1)
        mask = torch.ones(cells.shape[:2], dtype=torch.bool, device=cells.device)
        return EncodedRegions(torch.relu(self.projection(cells)), mask)


def _place_cells(maps: Tensor) -> Tensor:
    """Return `(n, n_cells, 2)`: the coordinates of the cells of maps `(n, channels, height, width)`, in [-1, 1]."""
    n, _, height, width = maps.shape
    down = torch.linspace(-1, 1, height, device=maps.device, dtype=maps.dtype)
    across = torch.linspace(-1, 1, width, device=maps.device, dtype=maps.dtype)
    return torch.stack(torch.meshgrid(down, across, indexing="ij"), dim=2).view(1, -1, 2).expand(n, -1, -1)
