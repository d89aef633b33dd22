"""The keyword baseline judge: content words of a check found in the response, by figures fixed before any data is seen.

It is the bar that a model judge must beat (DESIGN, section 5). It reads text alone, needs no file, and knows nothing
but words: a denial of a fact looks to it like the fact. A check's parts come from models/rubric/profile.py.
"""

import hashlib
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from judge_local.port import Answer, Asking, Remark
from models.provenance import Ruler
from models.rubric.checklist import CheckText, Kind
from models.rubric.profile import read_element, read_sequence, read_threshold
from models.verdicts import Outcome, Verdict

VERSION = 1
# Shares as fractions, so that 4 of 5 is exactly 0.8.
MEETS, PARTLY, TOLD = (4, 5), (1, 2), (1, 2)

# English function words. Negations are not among them: "no milk" and "milk" are different facts.
STOP_WORDS = frozenset(
    """
    a an the this that these those
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves one ones oneself
    who whom whose which what where when why how
    am is are was were be been being have has had having do does did doing done
    can could may might must shall should will would
    im ive id ill youre youve youd youll hes shes weve wed theyre theyve theyd theyll thats theres whats lets
    about above across after against along among around as at before behind below beneath beside besides between beyond
    by down during for from in inside into like near of off on onto out outside over per since through throughout to
    toward towards under until up upon via with within
    and or but if then else than so because while whereas although though whether both either each every all any some
    such other others another same own more most less least few many much several
    also too very just only even still already again further once here there now thus therefore hence however quite
    rather well etc
    """.split()
)


# Words ------------------------------------------------------------------------------------------------------------


def _character_class() -> tuple[str, str]:
    """(combining marks, letters of scripts written without spaces between words) as bodies of a regex class."""
    marks = "".join(char for char in map(chr, range(0x300, 0x1F000)) if unicodedata.category(char)[0] == "M")
    spaceless = (
        "\u0e00-\u0e7f\u0e80-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Tibetan, Burmese, Khmer
        "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # kana
        "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    )
    return marks, spaceless


_MARKS, _SPACELESS = _character_class()
_JOINERS = "'\u2019\u2018\u02bc\uff07\u05f3\u05f4\u00ad\u200c\u200d\u2060"  # apostrophes, geresh, invisible joiners
_GROUP = "[,\u00a0\u2009\u202f]"
_LETTER = rf"(?![{_SPACELESS}])[^\W_][{_MARKS}]*"
_WORD = re.compile(
    rf"\d{{1,3}}(?:{_GROUP}\d{{3}})+(?!\d)(?:\.\d+)?"  # 1,000  12 500.5
    rf"|\d+\.\d+"  # 3.5
    rf"|[{_SPACELESS}][{_MARKS}\uff9e\uff9f]*"
    rf"|(?:{_LETTER})+(?:[{_JOINERS}]+(?:{_LETTER})+)*"
)
_DROPPED = dict.fromkeys(map(ord, _JOINERS))
_SENTENCE_END = re.compile(r"[.!?\u2026\u0964\u061f\u06d4][\"')\]*_\u201d\u2019\u00bb]*\s|[\n\u3002\uff01\uff1f\uff0e]")


def normal_form(word: str) -> str:
    """One spelling for what counts as the same word.

    NFKC and case folding; 1,000 = 1000 and 3.50 = 3.5; any script's digits; no apostrophes, no possessive s;
    isn't = not; English plurals folded by their endings (a rule, not a dictionary: what matters is that both sides
    meet).
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).casefold())
    if folded[:1].isdecimal():
        plain = "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in folded)
        number = re.sub(r"[,\s]", "", plain)
        if re.fullmatch(r"\d+\.\d+", number):
            number = number.rstrip("0").rstrip(".")
        return number if number.replace(".", "").isdecimal() else _singular(number)
    folded = re.sub("[\u2019\u2018\u02bc\u05f3]", "'", folded)
    if folded.endswith("n't") or folded == "cannot":
        return "not"
    bare = folded.removesuffix("'s").translate(_DROPPED)
    return _singular(bare) if bare not in STOP_WORDS else bare


def _singular(word: str) -> str:
    if len(word) > 3 and word[-1] == "s" and word[-2] not in "sui":
        word = word[:-1]
    if len(word) > 3 and word.endswith("ie"):
        return word[:-2] + "y"
    if len(word) > 3 and word.endswith(("che", "she", "se", "xe", "ze", "oe")):
        return word[:-1]
    return word


@dataclass(frozen=True, slots=True, eq=False)
class _Text:
    """A text's words in order: character spans in the text as given, sentence numbers, and the places of each form."""

    spans: tuple[tuple[int, int], ...]
    sentences: tuple[int, ...]
    places: dict[str, list[int]]
    _firsts: dict[str, dict[int, int]]

    def firsts(self, form: str) -> dict[int, int]:
        """Sentence number -> first place of that form in it, in order; worked out once a form."""
        known = self._firsts.get(form)
        if known is None:
            known = self._firsts[form] = {}
            for place in self.places.get(form, ()):
                known.setdefault(self.sentences[place], place)
        return known


@lru_cache(maxsize=2)  # the response that is being judged, and the one that is looked at
def _read(text: str) -> _Text:
    known: dict[str, str] = {}
    spans: list[tuple[int, int]] = []
    sentences: list[int] = []
    places: dict[str, list[int]] = {}
    ends = [match.end() for match in _SENTENCE_END.finditer(text)] + [len(text) + 1]
    sentence = 0
    for place, match in enumerate(_WORD.finditer(text)):
        word, span = match[0], match.span()
        form = known.get(word)
        if form is None:
            form = known[word] = normal_form(word)
        while ends[sentence] <= span[0]:
            sentence += 1
        places.setdefault(form, []).append(place)
        spans.append(span)
        sentences.append(sentence)
    return _Text(tuple(spans), tuple(sentences), places, {})


def content_words(text: str) -> tuple[str, ...]:
    """The distinct content words of a text in normal form, in order of appearance.

    A text of stop words alone gives all its words; a text without words gives none.
    """
    words = dict.fromkeys(normal_form(match[0]) for match in _WORD.finditer(text))
    return tuple(word for word in words if word not in STOP_WORDS) or tuple(words)


def _at_least(found: int, of: int, share: tuple[int, int]) -> bool:
    return of > 0 and found * share[1] >= of * share[0]


# The rule ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Finding:
    """What the rule says of one check: no verdict where there is nothing to look for.

    words: the forms it rests on, wherever they stand; places: the single words that it rests on.
    """

    verdict: Verdict | None
    note: str
    words: frozenset[str] = frozenset()
    places: frozenset[int] = frozenset()


_NO_WORDS = _Finding(None, "The check has no words to look for.")


def _find(ask: CheckText, text: _Text) -> _Finding:
    if ask.kind is Kind.THRESHOLD and (threshold := read_threshold(ask.text)) is not None:
        return _count_options(*threshold, text)
    if ask.kind is Kind.SEQUENCE and (steps := read_sequence(ask.text)) is not None:
        return _compare_order(steps, text)
    return _look_for(read_element(ask.kind, ask.text), text)


def _found(words: Collection[str], text: _Text) -> list[str]:
    return [word for word in words if word in text.places]


def _look_for(element: str, text: _Text) -> _Finding:
    """Presence, relation, insight, and whatever a person reworded beyond reading: the share of its content words."""
    words = content_words(element)
    if not words:
        return _NO_WORDS
    found = _found(words, text)
    verdict = Verdict.MISSING
    if _at_least(len(found), len(words), MEETS):
        verdict = Verdict.MEETS
    elif _at_least(len(found), len(words), PARTLY):
        verdict = Verdict.PARTIALLY_MEETS
    return _Finding(verdict, f"{len(found)} of {len(words)} content words found.", words=frozenset(found))


def _count_options(wanted: int, options: list[str], text: _Text) -> _Finding:
    """Threshold: distinct options whose share would meet."""
    pool = [words for option in dict.fromkeys(options) if (words := content_words(option))]
    if not pool:
        return _NO_WORDS
    met = [words for words in pool if _at_least(len(_found(words, text)), len(words), MEETS)]
    verdict = Verdict.MISSING
    if len(met) >= wanted:
        verdict = Verdict.MEETS
    elif len(met) >= -(-wanted // 2):
        verdict = Verdict.PARTIALLY_MEETS
    seen = frozenset(word for words in met for word in _found(words, text))
    return _Finding(verdict, f"{len(met)} of {len(pool)} options found, {wanted} asked for.", words=seen)


def _compare_order(steps: list[str], text: _Text) -> _Finding:
    """Sequence: the first positions of the steps that are told, compared.

    A step that repeats the words of an earlier one counts as told with it and takes no part in the order.
    """
    worded = [words for step in steps if (words := content_words(step))]
    if not worded:
        return _NO_WORDS
    distinct = {frozenset(words): words for words in worded}
    told: dict[frozenset[str], list[int]] = {}
    for key, words in distinct.items():
        others = {word for other in distinct if other != key for word in other}
        places = _telling(words, {word for word in words if word not in others}, text)
        if places:
            told[key] = places
    count = sum(frozenset(words) in told for words in worded)
    firsts = [places[0] for key, places in told.items()]
    ordered = firsts == sorted(firsts)
    verdict = Verdict.MISSING
    if not ordered:
        verdict = Verdict.CONTRADICTS
    elif count == len(worded):
        verdict = Verdict.MEETS
    elif count >= 2:
        verdict = Verdict.PARTIALLY_MEETS
    order = "" if len(firsts) < 2 else " in this order" if ordered else " in another order"
    seen = frozenset(place for places in told.values() for place in places)
    return _Finding(verdict, f"{count} of {len(worded)} steps told{order}.", places=seen)


def _telling(words: tuple[str, ...], own: set[str], text: _Text) -> list[int]:
    """Where a step is first told: the places of its words in that sentence, position first; empty if it is not told.

    It is told in the first sentence that holds half of its content words or more, and with them one that no other step
    has (`own`), where it has such words. Its position is the first such word there: a word that all steps share
    ("beans") places none of them.
    """
    marking = own or set(words)
    for sentence in sorted({sentence for word in marking for sentence in text.firsts(word)}):
        there = {word: places[sentence] for word in words if sentence in (places := text.firsts(word))}
        if _at_least(len(there), len(words), TOLD):
            marked = {there[word] for word in marking if word in there}
            return sorted(there.values(), key=lambda place: (place not in marked, place))
    return []


def matches(ask: CheckText, response: str) -> tuple[tuple[int, int], ...]:
    """Character spans (start, end) in `response` of the words that the verdict on this check rests on, in order.

    Of an element every occurrence of a word found; of a threshold those of the options that count; of a sequence
    the words that tell a step, in the sentence that tells it.
    """
    text = _read(response)
    finding = _find(ask, text)
    places = finding.places.union(*(text.places[word] for word in finding.words))
    return tuple(text.spans[place] for place in sorted(places))


class KeywordJudge:
    """The judge `keyword` of the port: always there, the same answers everywhere, no picture looked at.

    A check without any word (a dash, an emoji) is abstained from, which is what "cannot tell" means; it is never
    a fail. An empty response is missing every check.
    """

    id = "keyword"
    sees_images = False

    def ruler(self) -> Ruler:
        """The rule's version and figures; shares are written as fractions of words."""
        return Ruler.of(
            self.id,
            style="keyword",
            version=VERSION,
            meets="/".join(map(str, MEETS)),
            partially="/".join(map(str, PARTLY)),
            step_told="/".join(map(str, TOLD)),
            stop_words=stop_words_hash(),
            sight="none",
        )

    def judge(self, asking: Asking, stop: Callable[[], bool]) -> Iterator[tuple[int, Answer]]:
        """Answers in checklist order; ends early once `stop()` is true."""
        text = _read(asking.response)
        for index, ask in enumerate(asking.checks):
            if stop():
                return
            yield index, _answer(ask, text, empty=not asking.response.strip())

    def remarks(self) -> tuple[Remark, ...]:
        return ()

    def close(self) -> None:
        """Forget the response that was read last."""
        _read.cache_clear()


def _answer(ask: CheckText, text: _Text, empty: bool) -> Answer:
    if empty:
        return Answer(Outcome.VERDICT, Verdict.MISSING, note="The response is empty.")
    finding = _find(ask, text)
    if finding.verdict is None:
        return Answer(Outcome.ABSTAINED, note=finding.note)
    return Answer(Outcome.VERDICT, finding.verdict, note=finding.note)


def stop_words_hash() -> str:
    """64 hex digits of sha256 over the sorted stop words, one a line."""
    return hashlib.sha256("\n".join(sorted(STOP_WORDS)).encode()).hexdigest()
