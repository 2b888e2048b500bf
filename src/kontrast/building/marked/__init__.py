"""Suites from errors that people marked in translations: ratings, partners, kinds."""
