"""Transformers models on PyTorch: one file per kind of model, and the tight loop that sharing runs on."""
