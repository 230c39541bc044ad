"""Estimates a provider's token counts from ours: its tokenizer is another one, and it counts tool definitions too."""

from typing import NamedTuple

MEMORY = 0.9
"""The factor of a call's weight at each later call, so that the newest ten or so count most."""

LEAST_SLOPE, MOST_SLOPE = 0.5, 3.0
"""Tokenizers differ by less than this; a fit beyond it comes from counts that belong to something else."""


class Calibration(NamedTuple):
    """Sums for a line through (our tokens, their tokens), one model's calls, older ones weighing less."""

    weight: float = 0.0
    ours: float = 0.0
    theirs: float = 0.0
    squares: float = 0.0
    products: float = 0.0

    def with_call(self, ours: int, theirs: int) -> "Calibration":
        kept = (value * MEMORY for value in self)
        call = (1.0, float(ours), float(theirs), float(ours * ours), float(ours * theirs))
        return Calibration._make(before + now for before, now in zip(kept, call, strict=True))

    @property
    def line(self) -> tuple[float, float]:
        """The tokens that a provider adds to every prompt, and the number of its tokens for one of ours. Where all
        prompts had about the same size only their ratio is known, and nothing is taken to be added."""
        spread = self.weight * self.squares - self.ours * self.ours
        if spread > 0.01 * self.ours * self.ours:
            slope = (self.weight * self.products - self.ours * self.theirs) / spread
            slope = min(MOST_SLOPE, max(LEAST_SLOPE, slope))
            return max(0.0, (self.theirs - slope * self.ours) / self.weight), slope
        ratio = self.theirs / self.ours if self.ours else 1.0
        return 0.0, min(MOST_SLOPE, max(LEAST_SLOPE, ratio))

    def estimate(self, ours: int) -> int:
        """The provider's probable count for a prompt that has this many tokens here."""
        added, slope = self.line
        return round(added + slope * ours)

    def most(self, theirs: int) -> int:
        """The most tokens of ours that the provider will count as no more than `theirs`."""
        added, slope = self.line
        return max(0, int((theirs - added) / slope))
