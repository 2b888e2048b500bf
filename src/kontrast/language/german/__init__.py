"""German from the package alone: tagger, phrases, clauses, verbs and the tables behind them."""
