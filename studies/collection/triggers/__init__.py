"""Database triggers that make started studies immutable and maintain `Slot.is_held`."""
