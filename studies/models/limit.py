"""Counts of recent attempts, stored in the database, since several server processes share them."""

from django.db import models

from studies.models.judgment import Assignment
from studies.models.study import Study


class Tally(models.Model):
    """The attempts of one kind by one address in one span of time; deleted some time after its end."""

    kind = models.CharField(max_length=20)
    who_hash = models.CharField(max_length=64, help_text="Keyed hash of the address and further identifying values.")
    began_at = models.DateTimeField(help_text="The start of the span.")
    count = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "tallies"
        constraints = [
            models.UniqueConstraint(fields=["kind", "who_hash", "began_at"], name="tally_once_per_kind_who_and_span")
        ]
        indexes = [models.Index(fields=["began_at"], name="tallies_by_span")]

    def __str__(self) -> str:
        return f"{self.count} {self.kind}"


class AddressLease(models.Model):
    """A newcomer's lease, counted for the network of the request; a trigger deletes it when the lease ends."""

    assignment = models.OneToOneField(Assignment, on_delete=models.CASCADE, related_name="+")
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+")
    network_hash = models.CharField(max_length=64, help_text="Keyed hash of an IPv4 address or of an IPv6 /64 network.")
    number = models.PositiveSmallIntegerField(help_text="Below ACCORDANCE_NEWCOMERS_PER_ADDRESS.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "network_hash", "number"], name="lease_number_once_per_network")
        ]

    def __str__(self) -> str:
        return f"first lease {self.number} of a network"
