"""Faulty canonicalisers of Markdown, a line each."""

from __future__ import annotations

import html
import random
import re
import unicodedata
from itertools import chain
from typing import TYPE_CHECKING

from pytest_llmout.conformance.markdown_it_reader import read_gfm, read_markdown_it
from pytest_llmout.conformance.mutants.faults import (
    Markup,
    after,
    also,
    buffered,
    by_blocks,
    by_small_letters,
    cached,
    every,
    exponential,
    failing,
    in_first_thread,
    late,
    moved,
    nodes,
    only,
    quadratic,
    recursive,
    right,
    slow,
    swapped,
    unless,
    unless_behind,
    unless_in,
    without_last,
)
from pytest_llmout.conformance.mutants.promotion import Promotion, insert_asterisks
from pytest_llmout.outputs.markdown_output import apply_edits, markdown_edits

if TYPE_CHECKING:
    from collections.abc import Callable

CANONICALIZERS: dict[str, Callable[[str], object]] = {
    # Nodes that are missed.
    "misses_everything": lambda raw: raw,
    "misses_all_but_the_first": lambda raw: insert_asterisks(raw, list(nodes(raw))[:1]),
    "misses_the_last_of_several": lambda raw: without_last(raw) if len(list(nodes(raw))) > 1 else right(raw),
    "misses_the_eleventh": lambda raw: insert_asterisks(raw, list(nodes(raw))[:10]),
    "misses_the_start": only(lambda _, start, __: start > 0),
    "misses_the_end": only(lambda raw, _, end: end < len(raw)),
    "misses_inside_words": only(
        lambda raw, start, end: not (raw[start - 1 : start].isalnum() or raw[end : end + 1].isalnum())
    ),
    "misses_single_letters": unless(r"\A.\Z"),
    "misses_long_ones": unless(r"(?s)\A.{100}"),
    "misses_several_lines": unless(r"[\r\n]"),
    "misses_digits": unless(r"^\d+$"),
    "misses_cjk": unless(r"[\u3000-\u9fff]"),
    "misses_hangul": unless(r"[\uac00-\ud7af]"),
    "misses_other_scripts": unless(r"[\u0590-\u06ff]"),
    "misses_emoji": unless("[\U0001f300-\U0001faff]"),
    "misses_punctuation": unless(r"^\W|\W$"),
    "misses_around_code": unless("`"),
    "misses_around_links": unless(r"\]\("),
    "misses_around_html": unless("<[a-z]+>"),
    "misses_around_underscores": unless(r"\w_\w"),
    "misses_around_escapes": unless(r"\\"),
    "misses_around_strikethrough": unless("~~"),
    "misses_headings": unless_behind("#+ "),
    "misses_setext_headings": only(lambda raw, _, end: not re.match(r"\r?\n[=-]{3}", raw[end : end + 5])),
    "misses_bullets": unless_behind(r"^\s*[-*+][ \t]"),
    "misses_numbered_items": unless_behind(r"\d[.)] "),
    "misses_nested_items": unless_behind(r"^\s{2,}[-*+] "),
    "misses_task_items": unless_behind(r"\[[ x]\] "),
    "misses_quotes": unless_behind("> ?"),
    "misses_table_cells": unless_behind(r"\| ?"),
    "misses_strikethrough": unless_behind("~~"),
    "misses_link_texts": unless_behind(r"\["),
    "misses_behind_labels": unless_behind(r"\*\*: "),
    "misses_behind_emoji": unless_behind("[\U0001f300-\U0001faff].*"),
    "misses_behind_dashes": unless_behind("— ?.*"),
    "misses_behind_numbers": unless_behind(r"\$\d.*"),
    "misses_behind_code": unless_in("```\n"),
    "misses_with_crlf": unless_in("\r\n"),
    "misses_with_tabs": unless_in("\t"),
    "misses_with_html": unless_in("</"),
    "misses_with_surrogates": unless_in("[\ud800-\udfff]"),
    "misses_with_a_bom": unless_in("\ufeff"),
    "misses_with_definitions": unless_in(r"\]: "),
    "misses_footnotes": unless_in(r"\[\^\w\]: "),
    # Nodes that are none, or must stay.
    "a_regex": lambda raw: re.sub(r"(?<!\*)\*([^*\n]+)\*(?!\*)", r"**\1**", raw),
    "a_regex_that_knows_fences": lambda raw: "```".join(
        part if place % 2 else re.sub(r"(?<!\*)\*([^*\s][^*\n]*)\*(?!\*)", r"**\1**", part)
        for place, part in enumerate(raw.split("```"))
    ),
    "a_regex_for_words": lambda raw: re.sub(r"(?<![*\w`])\*(\w+)\*(?![*\w`])", r"**\1**", raw),
    "promotes_in_code_spans": lambda raw: re.sub(r"`\*(\w+)\*`", r"`**\1**`", right(raw)),
    "promotes_in_fences": lambda raw: re.sub(r"(?<=```\n)\*(\w+)\*", r"**\1**", right(raw)),
    "promotes_in_quoted_fences": lambda raw: re.sub(r"(?<=> ```\n> )\*(\w+)\*", r"**\1**", right(raw)),
    "promotes_in_indented_code": lambda raw: re.sub(r"^    \*(\w+)\*$", r"    **\1**", right(raw)),
    "promotes_in_html_blocks": lambda raw: re.sub(r"(?<=<div>\n)\*(\w+)\*", r"**\1**", right(raw)),
    "promotes_in_comments": lambda raw: re.sub(r"(?<=<!-- )\*(\w+)\*", r"**\1**", right(raw)),
    "promotes_in_attributes": lambda raw: re.sub(r"(?<=')\*(\w+)\*(?='>)", r"**\1**", right(raw)),
    "promotes_in_link_titles": lambda raw: re.sub(r'(?<=")(\w?)\*(\w+)\*(?="\))', r"\1**\2**", right(raw)),
    "promotes_in_destinations": lambda raw: re.sub(r"(?<=/b)\*(\w+)\*(?=\))", r"**\1**", right(raw)),
    "promotes_in_definitions": lambda raw: re.sub(r"(\]: /\w)\*(\w+)\*", r"\1**\2**", right(raw)),
    "promotes_in_definition_titles": lambda raw: re.sub(r'(?<=: /b ")\*(\w+)\*', r"**\1**", right(raw)),
    "promotes_in_autolinks": lambda raw: re.sub(r"(<http:[^>*]*)\*(\w+)\*>", r"\1**\2**>", right(raw)),
    "promotes_in_mail_addresses": lambda raw: re.sub(r"<(\w*)\*(\w+)\*@", r"<\1**\2**@", right(raw)),
    "promotes_in_labels": lambda raw: re.sub(r"(?<=\]\[)\*(\w+)\*(?=\])", r"**\1**", right(raw)),
    "promotes_in_display_math": lambda raw: re.sub(r"(\$\$\n\w+)\*(\w+)\*", r"\1**\2**", right(raw)),
    "promotes_image_descriptions": lambda raw: re.sub(r"!\[\*(\w+)\*\]", r"![**\1**]", right(raw)),
    "promotes_escaped": lambda raw: re.sub(r"\\\*(\w+)\\\*", r"\\**\1\\**", right(raw)),
    "promotes_underscores": lambda raw: re.sub(r"(?<![\w_])_(\w)_(?![\w_])", r"__\1__", right(raw)),
    "promotes_triples": lambda raw: re.sub(r"^\*\*\*(\w)\*\*\*$", r"****\1****", right(raw)),
    "promotes_triples_in_a_text": lambda raw: re.sub(r"(?<= )\*\*\*(\w+)\*\*\*(?= )", r"****\1****", right(raw)),
    "promotes_strong_again": lambda raw: re.sub(r"^\*\*(\w)\*\*$", r"***\1***", right(raw)),
    "promotes_one_end": lambda raw: apply_edits(raw, markdown_edits(raw)[::2]),
    "promotes_twice": lambda raw: apply_edits(raw, chain.from_iterable((edit, edit) for edit in markdown_edits(raw))),
    "promotes_nested": Promotion(only_lone=False),
    "promotes_nested_without_proof": Promotion(only_lone=False, is_proved=False),
    "promotes_in_urls": Promotion(knows_urls=False),
    # What is not proved, or not enough.
    "proves_nothing": Promotion(is_proved=False),
    "proves_commonmark_only": Promotion(dialects=(read_markdown_it,)),
    "proves_gfm_only": Promotion(dialects=(read_gfm,)),
    "proves_all_or_nothing": Promotion(is_searched=False),
    "searches_from_the_right": Promotion(is_rightmost=True),
    "searches_once": Promotion(passes=1),
    "takes_blocks_for_texts": by_blocks,
    # Bytes.
    "strips": lambda raw: right(raw).strip(),
    "strips_the_last_line_end": lambda raw: right(raw).removesuffix("\n"),
    "ends_with_a_line_end": lambda raw: right(raw).rstrip("\n") + "\n",
    "writes_lf": also(r"\r\n", "\n"),
    "writes_lf_for_cr": also(r"\r(?!\n)", "\n"),
    "writes_crlf": also(r"(?<!\r)\n", "\r\n"),
    "writes_lf_in_fences": lambda raw: re.sub(
        r"(?ms)^```.*^```", lambda fence: fence[0].replace("\r\n", "\n"), right(raw)
    ),
    "splits_lines": lambda raw: "".join(f"{line}\n" for line in right(raw).splitlines()) or raw,
    "splits_lines_too_often": lambda raw: "\n".join(re.split("[\n\u2028\u0085]", right(raw))),
    "drops_form_feeds": also(r"\x0c", ""),
    "expands_tabs": lambda raw: right(raw).expandtabs(4),
    "trims_lines": also(r"[ \t]+(?=\r?\n|\Z)", ""),
    "joins_blank_lines": also(r"\n{3,}", "\n\n"),
    "drops_nul": also("\0", ""),
    "drops_the_bom": lambda raw: right(raw).removeprefix("\ufeff"),
    "drops_zero_width": also("\u200b", ""),
    "drops_soft_hyphens": also("\u00ad", ""),
    "drops_variation_selectors": also("\ufe0f", ""),
    "drops_surrogates": lambda raw: right(raw).encode(errors="ignore").decode(),
    "replaces_surrogates": lambda raw: right(raw).encode(errors="replace").decode(),
    "writes_nfc": lambda raw: unicodedata.normalize("NFC", right(raw)),
    "writes_nfkc": lambda raw: unicodedata.normalize("NFKC", right(raw)),
    "writes_plain_spaces": also("\u00a0", " "),
    "writes_straight_quotes": also("[“”]", '"'),
    "writes_ellipses": also(r"\.{3}", "…"),
    "writes_asterisks_for_their_likes": also("[＊∗]", "*"),
    "unescapes_html": lambda raw: html.unescape(right(raw)),
    "unescapes_asterisks": also(r"\\\*", "*"),
    "writes_hyphens_for_bullets": also(r"(?m)^\* ", "- "),
    "drops_empty_strong": also(r"^\*\*\*\*$", ""),
    "drops_unpaired": also(r"^\*(\w)$", r"\1"),
    "writes_italics_for_strong": also(r"^\*\*(\w)\*\*$", r"*\1*"),
    "swaps_blocks_far_on": swapped,
    # Offsets.
    "counts_bytes": moved(lambda before: len(before.encode(errors="surrogatepass"))),
    "counts_utf16": moved(lambda before: len(before.encode("utf-16-le", "surrogatepass")) // 2),
    "counts_crlf_as_one": moved(lambda before: len(before.replace("\r\n", "\n"))),
    "counts_composed_characters": moved(lambda before: len(unicodedata.normalize("NFC", before))),
    "counts_from_one": moved(lambda before: len(before) + 1),
    # State.
    "fails_every_97th_time": every(97),
    "guesses": lambda raw: raw if random.random() < 0.02 else right(raw),  # noqa: S311, PLR2004  the fault itself
    "caches_by_content_without_asterisks": cached(lambda raw: raw.replace("*", "")),
    "caches_in_small_letters": by_small_letters(),
    "errs_twice_at_first": late(2),
    "forgets_its_parser_in_threads": in_first_thread(),
    "stays_in_a_fence": after(r"```\n?\Z"),
    "shares_a_buffer": buffered(),
    # Size and time.
    "cuts_at_10_000": lambda raw: right(raw[:10_000]),
    "gives_up_at_200": lambda raw: right(raw) if len(raw) < 200 else raw,  # noqa: PLR2004  the fault itself
    "gives_up_at_10_000": lambda raw: right(raw) if len(raw) < 10_000 else raw,  # noqa: PLR2004
    "gives_up_at_a_million": lambda raw: right(raw) if len(raw) < 1_000_000 else raw,  # noqa: PLR2004
    "reads_the_first_200": lambda raw: right(raw[:200]) + raw[200:],
    "promotes_500_at_most": lambda raw: insert_asterisks(raw, list(nodes(raw))[:500]),
    "takes_quadratic_time": quadratic,
    "takes_quadratic_time_for_headings": slow("#"),
    "takes_quadratic_time_for_definitions": slow("]: "),
    "takes_exponential_time": exponential,
    # Exceptions and types.
    "raises_for_nothing": failing(IndexError(), r"\A\Z"),
    "raises_for_surrogates": lambda raw: right(raw.encode().decode()),
    "raises_for_nul": failing(ValueError("NUL"), "\0"),
    "raises_for_the_last_planes": failing(ValueError("plane"), "[\U00020000-\U0010ffff]"),
    "raises_without_nodes": lambda raw: insert_asterisks(raw, [next(nodes(raw)), *list(nodes(raw))[1:]]),
    "raises_for_depth": recursive,
    "raises_for_many_underscores": failing(RecursionError(), "_{2000}"),
    "exits": failing(SystemExit(1), r"\*\*\*"),
    "returns_none_if_unchanged": lambda raw: None if right(raw) == raw else right(raw),
    "returns_a_subclass": lambda raw: Markup(right(raw)),
    "returns_bytes": lambda raw: right(raw).encode(errors="surrogatepass"),
    "returns_a_pair": lambda raw: (right(raw), right(raw) != raw),
}
