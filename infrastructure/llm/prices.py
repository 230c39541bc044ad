"""Prices of model calls: the table that `genai-prices` ships, read offline."""

from datetime import datetime

from backstory.domain.messages.usage import Usage


def price(model: str, provider: str | None, usage: Usage, at: datetime | None) -> float | None:
    """The cost in US dollars; None for a model without a price, or a call without numbers."""
    if usage.input is None and usage.output is None:
        return None
    from genai_prices import Usage as Priced, calc_price

    priced = Priced(
        input_tokens=usage.input,
        output_tokens=usage.output,
        cache_read_tokens=usage.cached,
        cache_write_tokens=usage.cache_write,
    )
    try:
        found = calc_price(priced, model_ref=model, provider_id=provider, genai_request_timestamp=at)
    except (LookupError, ValueError):
        # Unknown, or numbers that cannot be priced, such as more cached tokens than there were.
        return None
    return float(found.total_price)
