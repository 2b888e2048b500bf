"""ContraPro."""
