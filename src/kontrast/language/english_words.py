"""Is a word with a capital an ordinary English word? *Length* and *Number* are, *London* and *Smith* are names too.

By the word list of simplemma, which has names with their capital; without it nothing is known to be ordinary.
"""

from functools import lru_cache


@lru_cache(maxsize=10_000)
def is_ordinary(word: str) -> bool:
    """Does English have the word, and not as a name?"""
    try:
        import simplemma
    except ImportError:
        return False
    lemma: str = simplemma.lemmatize(word, lang="en")
    return lemma.islower()
