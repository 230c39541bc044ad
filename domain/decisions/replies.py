"""Decisions in a user's reply to an agent: a choice among options, a refusal, a requirement, something put off."""

from backstory.domain.decisions.cue_patterns import ASIDE, NO_CHOICE, TAKEN_BACK
from backstory.domain.text.pattern import pattern

# "Do a" alone is no option, "do a then" is.
_OPTION = (
    r"(?:(?:the )?(?:option|approach|variant|plan|proposal|solution|number|idea) #?(?:[a-d]|\d)\b"
    r"|#?(?:[b-d]|\d)\b|a(?=\)|[.,!]|\s{0,3}$| (?:then|please|is|sounds|seems|looks|makes|would)\b))\)?"
)
_LET_US = (
    r"(?:let's|lets|let us|we'll|we will|i'd rather|we'd rather) (?:(?:just|then|also|rather|only|now) ){0,2}"
)
_DONE_TO = (
    r"(?:leave (?!\w{1,20}ing\b)|skip |ignore |rename |set (?!up\b)|defer |postpone |put off |keep |drop |stop |only "
    r"|call (?:it|this|the) (?!a (?:day|night))|make (?:it|this|that|the|them) (?!happen|work|through))"
)
_UNDONE = (
    r"(?:add|use|create|write|change|touch|modify|remove|delete|fall ?back|store|save|return|show|print|expose|log"
    r"|rename|introduce|include|support|rely|depend|mock|skip|overwrite|hard-?code|bother with|allow|require|break"
    r"|merge|cache|retry)"
)
_CHOICE = pattern(
    ASIDE + r"(?:"
    r"(?:i think |i like |i'd say |i prefer |i'd prefer )?"
    rf"(?P<option>{_OPTION} (?:is|sounds|seems|looks|makes|then|please|would be|but|and|with|for)\b)"
    rf"|{_LET_US}(?P<ours>not (?!forget|worry|get ahead)[a-z]{{2,20}} |do {{1,3}}{_OPTION}"
    r"|do (?!an? |another |some )(?:the )?(?:[\w-]{1,20} ){0,2}(?:only|first|instead|approach|option|version|variant)\b"
    rf"|{_DONE_TO})"
    r"|(?P<required>(?:we|this|that|it|these|those|they) should (?:not|never|always|only|at least|just) [a-z])"
    rf"|(?P<refused>(?:do not|don't|no need to|never) (?:ever )?{_UNDONE}\b)"
    r"|(?P<put_off>(?:defer|postpone|skip|ignore|leave) [^.;?]{2,80}? (?:for now|until|till|out of)\b)"
    r")"
)


def reply_content(said: str) -> int | None:
    """The place from which a sentence of a reply, in lower case, says what is decided."""
    match = _CHOICE.match(said)
    if match is None:
        return None
    kind = match.lastgroup
    assert kind is not None
    start = match.start(kind)
    # The condition in "don't fall back if …" is a part of the refusal.
    open_still = kind != "refused" and TAKEN_BACK.search(said, start)
    return None if open_still or NO_CHOICE.match(said, start) else start
