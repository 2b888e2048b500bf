"""Reading and writing: files, JSON, CoNLL-U, names of files, the cache folder."""
