"""Prompts for decoder-only models: a template with named fields, chat templates, the begin token verified."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kontrast.errors import KontrastError, in_one_line
from kontrast.scoring.engine import EngineOptions, Group, Side
from kontrast.scoring.template import conversation, parse_template
from kontrast.scoring.trie import TokenPath, opening_of, path_after

_END_OF_TURN = ("<|eot_id|>", "<|im_end|>", "<end_of_turn>", "<|end|>", "<|endoftext|>", "</s>")
"""What chat models end their turn with, beside the end token that the tokenizer names."""
DEFAULT_TEMPLATE = "{source_language}: {source}\n{target_language}: "


class Prompts:
    """Prompt and target as one text, cut where the target begins; options ``chat``, ``system`` and ``end``.

    What a template has after ``{target}`` closes the target, and is scored instead of the end token.
    """

    def __init__(self, tokenizer: Any, config: Any, options: EngineOptions) -> None:
        self.tokenizer, self.options = tokenizer, options
        self.template = parse_template(options.template or DEFAULT_TEMPLATE)
        self.template.check_languages(options)
        self.chat = options.flag("chat")
        if self.chat and not getattr(tokenizer, "chat_template", None):
            raise KontrastError("--option chat=yes: this tokenizer has no chat template")
        self.end = self._end_ids(options.extra.get("end", "none" if self.template.closing else "eos"))
        self.begin = self._begin_ids(config)
        self.details = {"prompt": "chat" if self.chat else "plain", "bos": "yes" if self.begin else "no"}
        self.names: dict[int, str] = {}

    def render(self, group: Group) -> str:
        """The whole prompt, before tokenisation."""
        if not self.chat:
            return self.template.prompt(group, self.options)

        def question(group: Group) -> str:
            return self.template.render(group, self.options).rstrip()

        shown = [(question(Group(source, (), source)), answer) for source, answer in self.options.examples]
        messages = conversation(shown, question(group), self.options.extra.get("system", ""))
        rendered = self._chat(messages, add_generation_prompt=True)
        begin = self.tokenizer.bos_token
        return rendered.removeprefix(begin) if begin and self.begin else rendered

    def paths(self, groups: Sequence[Group]) -> list[list[TokenPath]]:
        """For each group its targets; everything up to the target is forced."""
        found: list[list[TokenPath]] = []
        for group in groups:
            prompt, closing = self.render(group), self.template.close(group, self.options)
            targets = []
            for target in group.targets:
                given = prompt + target.prefix
                begin = self.begin if given.strip() else self.begin or self._first_ids()
                opening = [*begin, *self._ids(opening_of(given))]
                whole = [*begin, *self._ids(given + target.text + closing), *self.end]
                if opening[:1] != whole[:1]:
                    raise KontrastError(
                        f"the prompt {given[:60]!r} has no token before {target.text[:60]!r}, so nothing "
                        f"predicts the first token: use a longer --template"
                    )
                targets.append(path_after(opening, whole))
            found.append(targets)
        return found

    def openings(self, groups: Sequence[Group]) -> list[list[int]]:
        """The prompt's tokens for each group, with the prefix that its translation must begin with."""
        texts = [self.render(group) + "".join(target.prefix for target in group.targets[:1]) for group in groups]
        return [[*self.begin, *self._ids(text if self.chat else opening_of(text))] for text in texts]

    def stops(self) -> list[int]:
        """The end token; where the target ends with its line, every token with a line end in it."""
        ends = {self.tokenizer.eos_token_id} - {None}
        if self.chat:
            known = self.tokenizer.get_vocab()
            ends |= {known[mark] for mark in _END_OF_TURN if mark in known}
        elif not self.template.closing or self.template.closing[0][0].startswith("\n"):
            ends |= {i for i in range(len(self.tokenizer)) if "\n" in self.tokenizer.decode([i])}
        return sorted(ends)

    def spelled(self, tokens: Sequence[int]) -> str:
        text: str = self.tokenizer.decode(list(tokens), skip_special_tokens=True)
        return text.strip()

    def cut(self, text: str, side: Side = "source") -> list[str]:
        return [self.name(token) for token in self._ids(text)]

    def name(self, token: int) -> str:
        found = self.names.get(token)
        if found is None:
            found = self.names[token] = str(self.tokenizer.convert_ids_to_tokens(token))
        return found

    def _chat(self, messages: list[dict[str, str]], **how: bool) -> str:
        try:
            return str(self.tokenizer.apply_chat_template(messages, tokenize=False, **how))
        except Exception as error:  # a template may raise its own words, or fail on what it does not expect
            roles = " → ".join(message["role"] for message in messages)
            cure = "leave out --option system" if messages[0]["role"] == "system" else "use --option chat=no"
            why = f"the model's chat template does not take the turns {roles} ({in_one_line(error)}): {cure}"
            raise KontrastError(why) from error

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids

    def _end_ids(self, end: str) -> list[int]:
        if end == "none":
            return []
        if end == "newline":
            return self._ids("\n")
        if end != "eos" or self.tokenizer.eos_token_id is None:
            raise KontrastError(f"--option end={end}: expected eos (if the tokenizer has one), newline or none")
        return [self.tokenizer.eos_token_id]

    def _first_ids(self) -> list[int]:
        """What predicts the first token where there is no prompt: the begin token, or the end of a text before."""
        first = self.tokenizer.bos_token_id
        first = self.tokenizer.eos_token_id if first is None else first
        return [] if first is None else [first]

    def _begin_ids(self, config: Any) -> list[int]:
        """What the tokenizer itself puts first. Gemma models are useless without it, so there it is required."""
        ids = self.tokenizer("a")["input_ids"]
        begin = self.tokenizer.bos_token_id
        bare = self._ids("a")
        if begin is not None and ids[:1] == [begin] and bare[:1] != [begin]:
            return [begin]
        required = config.model_type.startswith("gemma") or getattr(self.tokenizer, "add_bos_token", False)
        if begin is not None and required:
            return [begin]
        if self.chat and begin is not None:
            text = self._chat([{"role": "user", "content": "a"}])
            return [begin] if text.startswith(self.tokenizer.bos_token) else []
        return []
