"""Translations from a server: a chat with examples and earlier sentences as turns, or the completion of a prompt."""

from __future__ import annotations

from typing import Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.scoring.decoding import Decoding
from kontrast.scoring.engine import EngineOptions, Group
from kontrast.scoring.engines.openai.prompts import TEMPLATES, templates
from kontrast.scoring.engines.openai.server import Server
from kontrast.scoring.template import Template, conversation, parse_template
from kontrast.scoring.translator import Translation
from kontrast.scoring.trie import opening_of

ASKED = "Translate from {source_language} to {target_language}. Answer with the translation alone.\n\n{source}"
WITH_CONTEXT = (
    "Translate from {source_language} to {target_language}. Answer with the translation of the last part alone.\n\n"
    "Context:\n{context}\n\nTranslate:\n{source}"
)
CANARY = ("The children went to school in the morning.", "She opened the door.", "He did not know what to say.")
"""Sentences whose translations tell two models behind one name apart."""


def chat_template(asked: str | None) -> Template | None:
    """The template of a chat's question; None: the built-in ones, with or without context."""
    found = templates(asked) if asked else (None,)
    if len(found) > 1:
        raise KontrastError(f"--template {asked}: a translation has one template; name one of them")
    return found[0]


def messages(group: Group, options: EngineOptions, template: Template | None, system: str) -> list[dict[str, str]]:
    """The conversation: examples, earlier sentences with the system's translations, the sentence itself."""

    def question(source: Group) -> str:
        chosen = template or parse_template(WITH_CONTEXT if source.context else ASKED)
        return chosen.render(source, options).rstrip()

    turns = [(question(Group(source, (), source)), target) for source, target in (*options.examples, *group.history)]
    bare = msgspec.structs.replace(group, source=group.sentence, context=()) if group.history else group
    return conversation(turns, question(bare), system)


def prompt_of(group: Group, options: EngineOptions, template: Template) -> str:
    """The text that a completion goes on from: examples, the source, the forced beginning."""
    return opening_of(template.prompt(group, options) + "".join(target.prefix for target in group.targets[:1]))


def fields(decoding: Decoding) -> dict[str, Any]:
    """The search in the words of the protocol; a server has no beams."""
    if (decoding.beams or 1) > 1 or decoding.length_penalty is not None:
        raise KontrastError("--beams and --length-penalty: the OpenAI protocol does not have them; leave them out")
    asked: dict[str, Any] = {"temperature": decoding.temperature, "max_tokens": decoding.max_length}
    if decoding.samples:
        asked |= {"seed": decoding.seed}
        asked |= {"top_p": decoding.top_p} if decoding.top_p is not None else {}
        asked |= {"top_k": decoding.top_k} if decoding.top_k is not None else {}
    if decoding.repetition_penalty is not None:
        asked["repetition_penalty"] = decoding.repetition_penalty
    return asked


async def write(
    server: Server, group: Group, options: EngineOptions, template: Template | None, settings: Any, decoding: Decoding
) -> Translation:
    """One translation; an answer that ended for its length is marked as cut."""
    if settings.api == "chat":
        asked = messages(group, options, template, settings.system)
        choice = await server.chat(asked, **fields(decoding))
        return Translation(server.said(choice), choice.get("finish_reason") == "length")
    chosen = template or parse_template(TEMPLATES["label"])
    closing = chosen.close(group, options)
    stop = "\n" if not closing or closing.startswith("\n") else closing
    choice = await server.complete(prompt_of(group, options, chosen), **fields(decoding), stop=[stop])
    said = server.text_of(choice.get("text")).partition(stop)[0].strip()
    return Translation(said, choice.get("finish_reason") == "length")
