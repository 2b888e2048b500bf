"""Analysis: what systems use. Context, cues, artefacts, items, memory."""
