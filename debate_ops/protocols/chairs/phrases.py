"""Phrases, in English, that tell what a speech does.

They decide one thing alone: whether the moderator is asked about a speech where it is not asked
about each. Nobody is judged by them; reports give them as phrases found.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from debate_ops.protocols.chairs.names import (
    DIRECT_CHALLENGE,
    FACTUAL_CORRECTION,
    PIVOTAL_POINT,
    STRAW_MAN_DETECTED,
    STRONG_AGREEMENT,
)

LONG_ENOUGH = 100
"""Beyond how many characters a text that criticises is held to owe the other view a fair word."""


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(rf"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


def _one(words: str) -> str:
    """Return a pattern for one of these words or phrases, which have bars between them."""
    return f"(?:{words})"


_SOME = r"(?:(?!(?:never|not|no|nothing|hardly|cannot)\b|\w+n't\b)[\w'-]+ ){0,3}"
"""A few words, none of which denies what follows."""
_THEY = _one(
    "they|you|he|she|my opponents?|(?:the|my) (?:other|opposing) (?:side|chairs?)",
)
_THEIR = _one("their|your|his|her|the|this|that|my opponent's")
_MY = r"(?:my|our) (?!opponent|other|opposing)(?:own )?"
_VIEW = _one(
    "point|view|case|argument|concern|worry|worries|position|reasoning|claim|intuition|framework|"
    "approach|theory|answer|proposal|principle|tradition",
)

_STEEL_MAN = _any_of(
    rf"\bI (?:do |fully |can )?{_one('understand|appreciate|recogni[sz]e|respect|share')} "
    rf"{_THEIR} {_SOME}{_VIEW}",
    r"\bI (?:do |can )?(?:see|feel) the (?:force|strength|appeal|pull|weight|merit) (?:of|in)\b",
    r"\bat (?:its|their) (?:strongest|best)\b",
    rf"\b(?:its|{_THEIR}) strongest (?:form|version|reason|{_VIEW})\b",
    r"\bthe best (?:case|argument|reason) (?:for|against|on)\b",
    rf"\b{_THEIR} {_VIEW} (?:has|carries|deserves) {_SOME}(?:weight|force|merit|credit)\b",
    rf"\b{_THEIR} {_VIEW} is (?:a )?(?:very )?(?:strong|serious|powerful|compelling|right)\b",
    rf"\b{_THEY} (?:rightly|(?:is|are) right (?:that|to|about|when))\b",
    rf"\b{_THEY} makes? a (?:strong|fair|good|powerful|serious|compelling) {_VIEW}",
    rf"\b(?:to put|putting|put|to state) {_THEIR} {_SOME}{_VIEW} (?:fairly|at its|in its)\b",
    r"\b(?:a fair reading|charitably (?:read|put)|the charitable reading|to be fair to)\b",
)
_SELF_CRITIQUE = _any_of(
    rf"\bI {_SOME}{_one('concede|admit|acknowledge|grant|confess')} (?:openly |freely )?"
    r"(?:that )?(?:here )?(?:my|our|I|we|this framework|this view)\b",
    rf"\b{_MY}{_SOME}{_VIEW} {_SOME}"
    rf"{_one('fails?|struggles?|falls? short|may be wrong|risks')}\b",
    rf"\b{_MY}{_SOME}{_VIEW} cannot (?:easily )?{_one('explain|answer|say|account|measure|tell')}",
    rf"\b{_MY}{_SOME}{_VIEW} (?:is|remains) {_SOME}{_one('weak|limited|vulnerable|blind|uneasy')}",
    rf"\b{_MY}{_SOME}{_VIEW} (?:has|leaves) {_SOME}"
    rf"{_one('limits?|weakness|weaknesses|blind spots?|difficulty|difficulties|problems?|gaps?')}",
    rf"\b{_one('weakness|limit|limitation|blind spot|weak point|weak spot|difficulty|cost')} "
    rf"(?:of|in|for|with) {_MY}",
    r"\bI (?:may|might|could) be wrong\b",
)

_ISMS = _one(
    "utilitarianism|virtue ethics|deontology|duty ethics|pragmatism|libertarianism|"
    "communitarianism|cosmopolitanism|precaution|the precautionary principle|care ethics|"
    "the ethics of care",
)
_FOLLOWERS = _one(
    "utilitarians|consequentialists|virtue ethicists|kantians|deontologists|pragmatists|"
    "libertarians|communitarians|cosmopolitans|care ethicists",
)
_SIGNS: Mapping[str, re.Pattern[str]] = {
    STRAW_MAN_DETECTED: _any_of(
        rf"\b{_THEY} (?:only|merely|just|simply|really) "
        rf"{_one('wants?|cares?|try|tries|seeks?|aims?|hopes?|likes?')}\b",
        rf"\b(?:all|the only thing) (?:that )?{_THEY} (?:wants?|cares? about) (?:is|are)\b",
        rf"\b{_THEY} (?:would|will) (?:have us|happily|gladly)\b",
        r"\bso (?:what )?(?:you are|you're|they are|they're) (?:really )?saying\b",
    ),
    FACTUAL_CORRECTION: _any_of(
        rf"\b(?:{_FOLLOWERS}|{_ISMS}) (?:never|always|all|only ever) \w",
        rf"\b(?:no|all) {_FOLLOWERS} \w",
    ),
    PIVOTAL_POINT: _any_of(
        rf"\b(?:the|our) {_one('core|central|real|crucial|key|fundamental|decisive|deepest')} "
        rf"{_one('question|issue|point|matter|disagreement|difference')} "
        r"(?:here |now |really |between us )?(?:is|comes|lies|remains|turns)\b",
        r"\b(?:it|this|everything|the debate) (?:all )?(?:comes down to|turns on|hinges on)\b",
    ),
    DIRECT_CHALLENGE: _any_of(
        rf"\bno {_one('reasonable|serious|sane|honest|thinking|decent|rational')} "
        rf"{_one('person|people|human|one|observer|adult|mind')}\b",
        r"\b(?:nobody|no one) (?:could|can|would) (?:seriously|honestly|reasonably|possibly)\b",
        r"\b(?:undeniabl|indisputabl|unquestionabl)[ey]\b|\bthere is no doubt\b",
        r"\bbeyond (?:all |any )?(?:doubt|dispute|question)\b",
        r"\bI (?:challenge|defy|dare) (?:you|them|him|her|my opponents?|anyone|anybody|the)\b",
    ),
    STRONG_AGREEMENT: _any_of(
        rf"\b(?:{_THEY}(?:'ve| have| has)?) (?:just )?(?:identified|hit on|found|put) "
        r"(?:something|exactly|precisely|a (?:real|deep|crucial|vital)|(?:your|their) finger on)",
        r"\bI (?:completely|entirely|wholly|fully|strongly|could not) agree\b",
        r"\b(?:exactly|absolutely) right\b|\bcould not have (?:said|put) it better\b",
    ),
}
"""Reason to cut in to the phrases that are a sign of it; of several the first counts."""

_CRITICISM = _any_of(
    rf"\b{_THEY} (?:fails?|ignores?|overlooks?|forgets?|neglects?|misses|assumes?|cannot)\b",
    rf"\b{_THEY} (?:is|are) (?:simply |just )?(?:wrong|mistaken|confused|blind)\b",
    rf"\b{_THEIR} {_SOME}{_VIEW} {_SOME}"
    rf"{_one('fails?|ignores?|overlooks?|collapses?|falls? apart|cannot|misses|rests on')}\b",
    r"\b(?:is|are) (?:deeply |simply |fatally |plainly )?"
    rf"{_one('flawed|wrong|mistaken|incoherent|absurd|untenable|hollow')}\b",
)
_TYPOGRAPHIC = str.maketrans("\u2018\u2019", "''")


def has_steel_man(text: str) -> bool:
    """Tell whether a phrase grants another view its strength; to see no value in it is none."""
    return _STEEL_MAN.search(_plain(text)) is not None


def has_self_critique(text: str) -> bool:
    """Tell whether a phrase admits a limit of the speaker's own view."""
    return _SELF_CRITIQUE.search(_plain(text)) is not None


def sign(text: str) -> str:
    """Return the reason to cut in that the words of a speech are a sign of; empty for none.

    Beside phrases of its own, a longer text that criticises without a word of steel-manning is a
    sign of a straw man.
    """
    plain = _plain(text)
    for reason, phrases in _SIGNS.items():
        if phrases.search(plain):
            return reason
    owes = len(plain) > LONG_ENOUGH and _CRITICISM.search(plain) is not None
    return STRAW_MAN_DETECTED if owes and not has_steel_man(plain) else ""


def _plain(text: str) -> str:
    """Return a text on one line, with straight apostrophes."""
    return " ".join(text.translate(_TYPOGRAPHIC).split())
