"""The two kinds of input tables: scores of systems on items, and judgments of items by raters."""

from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from correlation.errors import CorrelationInputError
from correlation.validation import (
    BoolArray,
    FloatArray,
    IntArray,
    KeyArray,
    as_floats,
    as_keys,
    as_unique_keys,
    check_length,
    find_positions,
)


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """Scores of systems on items.

    Attributes
    ----------
    systems, items
        Shapes (n_systems,) and (n_items,): unique keys.
    values
        Shape (n_systems, n_items), float64; values[i, j] is the score of systems[i] on items[j], NaN = missing.
    """

    systems: KeyArray
    items: KeyArray
    values: FloatArray

    @classmethod
    def build(cls, values: ArrayLike, *, systems: ArrayLike, items: ArrayLike) -> "ScoreTable":
        """Validate the arguments; raises `CorrelationInputError` for a wrong shape, duplicate key or infinite score.

        >>> ScoreTable.build([[0.5, 0.25]], systems=["model"], items=["a", "b"]).values.shape
        (1, 2)
        """
        system_keys, item_keys = as_unique_keys("systems", systems), as_unique_keys("items", items)
        checked = as_floats("values", values, ndim=2)
        if checked.shape != (len(system_keys), len(item_keys)):
            raise CorrelationInputError(
                f"`values` must have shape (n_systems, n_items) = ({len(system_keys)}, {len(item_keys)}), "
                f"got {checked.shape}"
            )
        return cls(system_keys, item_keys, checked)

    @property
    def n_missing(self) -> int:
        return int(np.isnan(self.values).sum())

    def align(self, *, systems: KeyArray, items: KeyArray) -> "ScoreTable":
        """Return the scores in the order of the given keys, all of which must exist."""
        rows = find_positions("systems", systems, self.systems, "systems of the other table")
        columns = find_positions("items", items, self.items, "items of the other table")
        return ScoreTable.build(self.values[np.ix_(rows, columns)], systems=systems, items=items)


@dataclass(frozen=True, slots=True, eq=False)
class JudgmentTable:
    """Judgments in columns, with the attributes of the judged items.

    Attributes
    ----------
    items
        Shape (n_items,): unique keys. `image`, `system` and `category` (None if not used) have the same shape.
    item, rater, value, criterion
        Shape (n_judgments,): position in `items`, the rater's key, the judgment, and its criterion (None if there is
        only one). A value is never NaN: missing judgments have no row.
    """

    items: KeyArray
    image: KeyArray
    system: KeyArray | None
    category: KeyArray | None
    item: IntArray
    rater: KeyArray
    value: FloatArray
    criterion: KeyArray | None

    @classmethod
    def build(
        cls,
        *,
        items: ArrayLike,
        image: ArrayLike,
        item: ArrayLike,
        rater: ArrayLike,
        value: ArrayLike,
        system: ArrayLike | None = None,
        category: ArrayLike | None = None,
        criterion: ArrayLike | None = None,
    ) -> "JudgmentTable":
        """Validate the arguments; `item` is the key of each judgment's item.

        Raises `CorrelationInputError` if columns differ in length, an item key is duplicate or unknown, a value is NaN,
        or a rater judged an item (on one criterion) twice.

        >>> table = JudgmentTable.build(
        ...     items=["a", "b"], image=["1", "2"], item=["b", "b"], rater=["ann", "bob"], value=[1, 4]
        ... )
        >>> table.item.tolist(), table.judgments_per_item.tolist()
        ([1, 1], [0, 2])
        """
        keys = as_unique_keys("items", items)
        values = as_floats("value", value)
        if np.isnan(values).any():
            row = int(np.flatnonzero(np.isnan(values))[0])
            raise CorrelationInputError(f"`value` is NaN at index {row}: leave out judgments that were not given")
        table = cls(
            items=keys,
            image=_attribute("image", image, len(keys), "item"),
            system=None if system is None else _attribute("system", system, len(keys), "item"),
            category=None if category is None else _attribute("category", category, len(keys), "item"),
            item=find_positions("item", _attribute("item", item, len(values), "value"), keys, "items"),
            rater=_attribute("rater", rater, len(values), "value"),
            value=values,
            criterion=None if criterion is None else _attribute("criterion", criterion, len(values), "value"),
        )
        table._refuse_repeats()
        return table

    def _refuse_repeats(self) -> None:
        rater = np.unique(self.rater, return_inverse=True)[1].astype(np.int64)
        asked = rater * len(self.items) + self.item
        if self.criterion is not None:
            names, criterion = np.unique(self.criterion, return_inverse=True)
            asked = asked * len(names) + criterion
        order = np.argsort(asked, kind="stable")
        repeats = np.flatnonzero(asked[order][1:] == asked[order][:-1])
        if len(repeats):
            row = int(order[repeats[0] + 1])
            raise CorrelationInputError(
                f"rater {str(self.rater[row])!r} judged item {str(self.items[self.item[row]])!r} twice "
                f"(again at index {row})"
            )

    def keep(self, used: BoolArray) -> "JudgmentTable":
        """Return the same items with only the judgments for which `used`, shape (n_judgments,), is true."""
        check_length("used", len(used), len(self.value), "judgment")
        return replace(
            self,
            item=self.item[used],
            rater=self.rater[used],
            value=self.value[used],
            criterion=None if self.criterion is None else self.criterion[used],
        )

    def keep_items(self, kept: BoolArray) -> "JudgmentTable":
        """Return the items for which `kept`, shape (n_items,), is true, with their judgments, in the same order.

        >>> table = JudgmentTable.build(
        ...     items=["a", "b"], image=["1", "2"], item=["b", "a", "b"], rater=["x", "x", "y"], value=[1, 2, 4]
        ... )
        >>> few = table.keep_items(np.array([False, True]))
        >>> few.items.tolist(), few.item.tolist(), few.value.tolist()
        (['b'], [0, 0], [1.0, 4.0])
        """
        check_length("kept", len(kept), len(self.items), "item")
        judged = kept[self.item]
        return replace(
            self,
            items=self.items[kept],
            image=self.image[kept],
            system=None if self.system is None else self.system[kept],
            category=None if self.category is None else self.category[kept],
            item=(np.cumsum(kept) - 1)[self.item[judged]],
            rater=self.rater[judged],
            value=self.value[judged],
            criterion=None if self.criterion is None else self.criterion[judged],
        )

    def number_keys(self) -> "JudgmentTable":
        """Return the table with images, systems and raters replaced by numbers in the order of their keys.

        All results and random draws stay the same; numbers are valid keys that sort many times faster.

        >>> table = JudgmentTable.build(items=["a", "b"], image=["y", "x"], item=["a"], rater=["ann"], value=[1])
        >>> table.number_keys().image.tolist()
        [1, 0]
        """
        return replace(
            self,
            image=_number(self.image),
            system=None if self.system is None else _number(self.system),
            rater=_number(self.rater),
        )

    @property
    def judgments_per_item(self) -> IntArray:
        """The number of judgments of each item, shape (n_items,)."""
        return np.bincount(self.item, minlength=len(self.items)).astype(np.int64)


def _attribute(name: str, values: ArrayLike, length: int, owner: str) -> KeyArray:
    keys = as_keys(name, values)
    check_length(name, len(keys), length, owner)
    return keys


def _number(keys: KeyArray) -> KeyArray:
    # Integers are accepted wherever keys are encoded, but the declared type of columns is that of user input.
    return cast("KeyArray", np.unique(keys, return_inverse=True)[1])
