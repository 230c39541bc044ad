"""The log: chain, lineage, references, guards."""
