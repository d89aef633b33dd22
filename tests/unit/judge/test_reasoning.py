"""The judge's own words: what is read from them, what they are held to, and what a cap is."""

import pytest

from judge_local.engine import Engine
from judge_local.manner import Manner
from judge_local.parking import Parking
from judge_local.port import Answer, Asking
from judge_local.prompt import PromptBuilder
from judge_local.prompts.templates import KNOWN
from judge_local.reading import margin
from judge_local.reasoning import MOST_TOKENS, UNSUPPORTED, Reasoned, evidence_for, read_reasoned
from models.rubric.checklist import CheckText, Kind
from models.verdicts import Outcome, Variant, Verdict
from tests.unit.judge.word_binding import WordBinding

BUILDER = PromptBuilder(KNOWN["ChatML"][1], 0)
CHECKS = tuple(CheckText(Kind.PRESENCE, f"States: fact {n}") for n in range(4))
RESPONSE = "It is made with steamed milk, over “a double shot”."
SAYS = ' The answer names it.\nQuote: "steamed milk"\nAnswer:'


@pytest.fixture(scope="module")
def parking():
    made = Parking()
    yield made
    made.close()


def answers(parking, says: str, orders: int = 1, **how) -> dict[int, Answer]:
    engine = Engine(WordBinding(says=says), BUILDER, Manner(orders=orders, **how), parking)
    return dict(engine.judge(Asking("What is it?", RESPONSE, CHECKS, Variant.TEXT), range(4)))


def test_reason_then_quote_then_the_cue_are_read() -> None:
    assert read_reasoned(SAYS) == Reasoned("The answer names it.", "steamed milk")
    assert read_reasoned(" It says nothing of it.\nQuote: none\nAnswer:") == Reasoned("It says nothing of it.", None)
    for cut in range(len(SAYS)):
        assert read_reasoned(SAYS[:cut]) is None, "cut off anywhere, it is no answer"


@pytest.mark.parametrize("verdict", [Verdict.MEETS, Verdict.PARTIALLY_MEETS, Verdict.CONTRADICTS])
def test_a_quote_is_kept_in_the_responses_own_words_or_called_unsupported(verdict: Verdict) -> None:
    assert evidence_for(verdict, '"A double shot"', RESPONSE) == ("a double shot", None)
    assert evidence_for(verdict, "oat milk", RESPONSE) == (None, UNSUPPORTED)
    quotes_nothing = "The judge quotes nothing of the response for this verdict: unsupported."
    assert evidence_for(verdict, None, RESPONSE) == (None, quotes_nothing)


def test_a_missing_fact_needs_no_quote() -> None:
    assert evidence_for(Verdict.MISSING, "anything", RESPONSE) == (None, None)


def test_reasoned_answers_carry_rationale_and_evidence(parking) -> None:
    for answer in answers(parking, SAYS, style="reasoned").values():
        assert answer.outcome in (Outcome.VERDICT, Outcome.ABSTAINED)
        assert answer.rationale == "The answer names it."
        if answer.verdict in (None, Verdict.MISSING):
            assert answer.evidence is None
        else:
            assert answer.evidence == "steamed milk"


def test_the_length_cap_is_unparsable_and_never_a_verdict(parking) -> None:
    for answer in answers(parking, " word" * MOST_TOKENS, style="reasoned").values():
        assert answer.outcome is Outcome.UNPARSABLE
        assert answer.verdict is None
        assert answer.log_probabilities is None
        assert answer.note == f"The judge's reason reached its cap of {MOST_TOKENS} tokens before a verdict."


def test_rationales_are_kept_always_on_demand_or_never(parking) -> None:
    reason = " Because it says so.\n"
    assert all(answers(parking, SAYS, style="reasoned", rationale="never")[n].rationale is None for n in range(4))
    assert all(answer.rationale is None for answer in answers(parking, reason).values())
    told = answers(parking, reason, rationale="always")
    assert {a.rationale for a in told.values() if a.verdict} == {"Because it says so."}
    plain = answers(parking, reason)
    assert all(told[n].verdict == plain[n].verdict for n in range(4)), "a reason after the verdict changes none"


def test_a_rationale_on_demand_judges_nothing(parking) -> None:
    engine = Engine(WordBinding(says=" Because it says so.\n"), BUILDER, Manner(), parking)
    asked = Asking("What is it?", RESPONSE, CHECKS, Variant.TEXT, explain=Verdict.CONTRADICTS)
    (index, got), *_ = engine.judge(asked, [2])
    assert (index, got) == (2, Answer(Outcome.VERDICT, Verdict.CONTRADICTS, rationale="Because it says so."))


def test_a_rationale_that_is_cut_at_its_cap_shows_it(parking) -> None:
    engine = Engine(WordBinding(says=" word" * 100), BUILDER, Manner(), parking)
    asked = Asking("What is it?", RESPONSE, CHECKS, Variant.TEXT, explain=Verdict.MEETS)
    (_, got), *_ = engine.judge(asked, [0])
    assert (got.rationale or "").endswith(" ...")


@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.5, 1.0])
def test_adaptive_gives_a_reason_only_where_the_margin_is_small(parking, threshold: float) -> None:
    direct = answers(parking, SAYS)
    adaptive = answers(parking, SAYS, style="adaptive", margin=threshold)
    reasoned = answers(parking, SAYS, style="reasoned")
    for index, answer in adaptive.items():
        assert answer == (reasoned[index] if margin(direct[index]) < threshold else direct[index])


def test_several_orders_are_averaged_after_a_reason_too(parking) -> None:
    one, many = answers(parking, SAYS, style="reasoned"), answers(parking, SAYS, orders=4, style="reasoned")
    assert one != many
    assert {answer.rationale for answer in many.values()} == {"The answer names it."}
