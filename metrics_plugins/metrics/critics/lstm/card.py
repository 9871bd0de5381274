"""The card of the learned critic."""

from typing import Final

from metrics_plugins.api import MetricCard, Weakness
from metrics_plugins.metrics.publications import CUI

CARD: Final = MetricCard(
    measures=(
        "How likely it is that a person wrote the caption, according to a network that was trained to tell captions of "
        "people from those of captioners and from perturbed ones."
    ),
    needs="Train it with the command fit and name the folder as the parameter weights. None come with Accordance.",
    cost="Less than half a minute for 10,000 captions on one processor, after a training of minutes to hours.",
    weaknesses=(
        Weakness(
            "Trained only on captions of people and captioners, it scores captions of other images, random and "
            "permuted words as human; perturbed captions are needed in training.",
            "Cui et al. (2018), section 4.3; docs/critics.md, Evidence",
        ),
        Weakness(
            "Depends strongly on the data set and the perturbations it was trained on.",
            "Wang et al. (2020), On diversity in image captioning, section 7",
        ),
        Weakness(
            "Can be gamed, as other metrics can; its authors leave adversarial examples to future work.",
            "Cui et al. (2018), section 5",
        ),
    ),
    publications=(CUI,),
)
