"""ContraWSD."""
