"""A package, so that its files may be called as those of other folders are."""
