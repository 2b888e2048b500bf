"""Agreement suites from parallel treebanks: the tree says what agrees, a lexicon has the form that does not."""
