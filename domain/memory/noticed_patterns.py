"""The words by which `noticed` tells what a sentence says. All match text in lower case, and each is bounded."""

from backstory.domain.text.pattern import pattern

_TALK = (
    r"(?:(?:ok(?:ay)?|yes|yeah|again|also|and|but|so|btw|by the way|please|actually|in general|generally)"
    r"[\s,.:–—-]{1,4}){0,3}"
)
PREFERS = pattern(
    rf"{_TALK}(?:"
    r"(?:i|we)(?:'d| would)? (?:(?:really|strongly|much|generally|usually|always|definitely) ){0,2}prefer\b"
    r"|(?:my|our) (?:\w{1,20} )?preference is\b"
    r"|(?:i|we) (?:always|never) want\b"
    r"|(?:i|we) (?:really )?(?:hate|can't stand) (?:when|it when|having)\b"
    r")"
)
# A rule for all that follows, not for the step at hand.
RULES = pattern(
    rf"{_TALK}(?:"
    r"(?:from now on|going forward|in (?:the )?future|for all future \w{2,20}|as a (?:general )?rule)\b[ ,:]"
    r"|(?:always|never|do not ever|don't ever) (?!mind\b|been\b|mind$|again\b)[a-z]{2,20}\b"
    r"|(?:you|we|this repo|this project|the team) (?:should |must )?(?:always|never) (?!been\b)[a-z]{2,20}\b"
    r")"
)
TOLD = pattern(
    rf"{_TALK}(?:"
    r"(?:fyi|for (?:your )?(?:reference|context|information)|(?:just )?so you know|for the record|heads[ -]up)[\s,:–—-]"
    r"|(?:please )?(?:note|be aware) that\b"
    r")"
)
LESSON = pattern(
    r"[*_\s]{0,4}(?:(?:the |a |my |our |key |main |important ){0,3}(?:lessons?(?: (?:learn(?:ed|t)|here|from this))?"
    r"|takeaways?|gotchas?|pitfalls?|note to self))[*_]{0,3}\s{0,2}(?::|–|—| - | is\b(?: that)?)[*_\s]{0,4}"
)
LESSONS_FOLLOW = pattern(
    r"[#*_\s]{0,6}(?:key |main |important ){0,2}(?:lessons?(?: learn(?:ed|t))?|takeaways|gotchas|pitfalls)[*_:\s]{0,6}$"
)
CAUSE = pattern(
    r"(?:so |now i (?:see|understand)[,:]? |found it[:!,–—-]? ){0,2}(?:the )?"
    r"(?:root cause|underlying (?:issue|problem|cause)|real (?:issue|problem|cause|bug))"
    r"(?: (?:of|for|behind) [^.;]{3,80}?)? (?:is|was)\b"
)
# A sentence that stands on what was said before it tells nothing by itself.
LEANS = pattern(
    r"\b(?:do|did|does|fix|leave|keep|use|like|want|prefer|hate|remember|forget|note) "
    r"(?:it|that|this|them|those|these|one)(?=[.!,\s]|$)(?! \w)|\bleave (?:it|that|this|them)\b"
    r"|\bthe (?:first|second|third|last|former|latter|other) (?:one|option)\b|\boption [a-z0-9]\b|^#?\d{1,2} is\b"
)
UNSURE = pattern(
    r"(?<![\w'])(?:maybe|perhaps|might|probably|i (?:guess|think|believe|suppose|wonder)|not sure|could be|seems?"
    r"|likely|possibly|if|unless|whether|would|wouldn't|imagine)(?![\w'])"
)
REMEMBER_THAT = pattern(
    r"(?:please |and |also |ok(?:ay)?[, ]|so |but ){0,3}(?:always )?(?:remember|don't (?:ever )?forget|do not forget"
    r"|(?:keep|bear) in mind|make a (?:mental )?note|note to self|for (?:your )?future reference)"
    r"(?:,|:| -| –| —)?(?: (?:that|this|the following|(?P<to>to)))?(?:,|:| -| –| —)?\s{0,2}"
)
