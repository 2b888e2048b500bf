"""CTXPro."""
