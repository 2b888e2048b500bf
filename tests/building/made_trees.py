"""Trees written as text: a sentence, then a line for each word."""

from __future__ import annotations

SURE = """Las casas son caras.
Las el DET Definite=Def|Gender=Fem|Number=Plur 2 det
casas casa NOUN Gender=Fem|Number=Plur 4 nsubj
son ser AUX Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin 4 cop
caras caro ADJ Gender=Fem|Number=Plur 0 root
"""


def conllu(*sentences: str) -> str:
    blocks = []
    for number, sentence in enumerate(sentences, start=1):
        text, *words = sentence.strip().split("\n")
        rows = []
        for i, word in enumerate(words, start=1):
            form, lemma, pos, features, head, relation = word.split()
            rows.append(f"{i}\t{form}\t{lemma}\t{pos}\t_\t{features}\t{head}\t{relation}\t_\t_")
        blocks.append(f"# sent_id = {number}\n# text = {text}\n" + "\n".join(rows) + "\n")
    return "\n".join(blocks) + "\n"
