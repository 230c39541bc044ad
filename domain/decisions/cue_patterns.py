"""The words and expressions by which `cues` tells a decision. All match text in lower case, and each is bounded."""

from backstory.domain.text.pattern import pattern

_SOMEBODY = r"(?:we|i|(?:the|our) (?:\w{1,20} ){0,2}(?:team|council|board|group|committee|guild))"
_ADVERBS = (
    r"(?:(?:all|just|simply|now|then|also|therefore|definitely|finally|instead|already|still|both|only|first|"
    r"jointly|explicitly|unanimously|for now|later|today|recently|eventually|ultimately) ){0,2}"
)
# To do one of these is to commit to something. To look, check, run, write or fix is just work.
_COMMIT = (
    r"(?:use|go (?:with|for|ahead with)|stick (?:with|to)|stay (?:with|on)|keep|adopt|switch (?:over )?(?:to|from)|"
    r"move (?:\w{1,20} )?(?:to|from|away|off)|migrate (?:\w{1,20} )?(?:to|from)|pick|choose|settle (?:on|for)|"
    r"standardi[sz]e on|default to|opt (?:for|to)|drop|store|cap|limit|pin|require|target|support|enforce|forbid|ban|"
    r"remove|retire|deprecate|defer|postpone|disable|enable|host|avoid|rely on|encrypt|reject|reuse|vendor)"
)
_COMMITTING = (
    r"(?:going with|dropping|switching (?:over )?to|moving (?:to|away|off)|sticking (?:with|to)|staying (?:with|on)|"
    r"adopting|retiring|standardi[sz]ing on)"
)
_REFUSED = (
    r"(?:be )?(?:support|use|build|ship|offer|add|accept|translat|maintain|allow|store|migrat|rewrit|"
    r"us|adopt|keep|host|port|backport|chang|mov|switch)(?:e|ing)?"
)
_AM = r"(?:'m|'re| am| are)"
DECIDING = pattern(
    r"(?<![\w'])(?:"
    rf"(?P<planned>(?:let(?:'s(?! encrypt)|s| us)|we(?:'ll| will|{_AM} going to)|"
    rf"(?P<step>i(?:'ll| will|'m going to))) {_ADVERBS}(?=(?:not )?{_COMMIT}\b))"
    rf"|(?P<frame>{_SOMEBODY}(?:'ve|'s| have| has| had)? {_ADVERBS}(?:decided|agreed|chosen|chose|opted|elected|"
    r"resolved)"
    r"(?: (?:yesterday|today|together|internally|last week|with [\w ]{2,30}?))? (?:to |that |(?=not to ))"
    r"|it (?:was|is|has been|was finally) (?:decided|agreed|resolved)(?: (?:yesterday|today|last week))? (?:that |to )"
    r"|(?:the|our|my)(?: final)? (?:decision|verdict|ruling) (?:is|was)(?: now)? (?:to |that )"
    rf"|we{_AM} {_ADVERBS}(?={_COMMITTING}\b))"
    rf"|(?P<whole>{_SOMEBODY}(?:'ve|'s| have| has| had)? {_ADVERBS}"
    r"(?:decided (?:on|against|for|in favou?r)|agreed (?:on|upon)|settled (?:on|for)|chosen|chose|opted (?:for|"
    r"against)|gone with|went with|standardi[sz]ed on|committed to)(?! (?:yet|who|what|which))"
    rf"|we(?: won't| will not|{_AM} not going to|{_AM} never going to) (?={_REFUSED}\b)"
    r"|(?:the|our|my)(?: final)? (?:choice|pick|decision) (?:is|was) (?!to |that ))"
    r")"
)
ASIDE = (
    r"(?:(?:hmm|nah|just|pls|one note|btw|by the way|anyway|that said|ok|okay|yes|yep|yeah|yup|no|alright|"
    r"all right|right|fine|great|good point|good idea|good|sure|so|then|and|but|"
    r"well|thanks|thank you|cool|perfect|sounds good|agreed|in the end|finally|now|also|please|hence|therefore|"
    r"thus|after all|as discussed|as agreed|based on this|for now)(?![\w'])[\s,.:!–—-]{0,4}){0,5}"
)
# Where a cue may begin. The long expression above is tried there and nowhere else.
SUBJECT = pattern(r"(?:let|we|i|our|my|the|it)(?![a-z])|lets ")
LABEL = pattern(
    r"[*_\s]{0,6}(?P<aside>" + ASIDE + r")(?:(?:the|our|my|final|team|key|main) ){0,3}"
    r"(?:decision|decided|agreed)[*_]{0,3}\s{0,2}(?::|–|—| - )[*_\s]{0,4}"
)
ORDER = pattern(
    r"[*_\s]{0,4}(?P<aside>" + ASIDE + r")"
    r"(?:(?P<from>(?:from now on|going forward|effective immediately|starting (?:today|now|tomorrow)),? )(?=\S)"
    r"|(?:go (?:with|for|ahead with)|stick (?:with|to)|stay (?:with|on)|switch (?:over )?to|standardi[sz]e on|"
    r"default to|settle on|adopt|keep|drop|(?:(?:do not|don't|never|always) )?use) (?=\S))"
)
IT_IS = pattern(r"(?P<aside>" + ASIDE + r")(?P<thing>[^,.:;?!]{1,50}?),? it is(?: then)?[.!\s]{0,3}$")
NOT_A_THING = pattern(
    r"\b(?:as|what|how|where|who|why|think|than|sure|that|like|because|since|if|but|when|so|here|there|yes|no|"
    r"this|now|well|yeah|yep)\b"
)

HEDGED = pattern(
    r"(?<![\w'])(?:should|shall|could|might|may|maybe|perhaps|possibly|probably|whether|if|suppose|supposing|"
    r"assuming|"
    r"unless|until|before|once|when|would|wouldn't|what|why|how|which|who|did|didn't|does|doesn't|in theory|"
    r"hypothetically|either|wonder|wondering|considering|tempted|propose|recommend|not sure|no idea|i think|i guess|"
    r"i believe|i hope|i wish|worried that|i'd say|never|it'd|i'd|we'd|imagine|ideally|pretend|don't think|unclear|"
    r"after we|"
    r"(?:he|she|they|someone|somebody|nobody|everyone|it|\w{1,20} (?:team|company|vendor)) "
    r"(?:says?|said|thinks?|claims?|claimed|suggests?|suggested|told|wrote|argues?|argued)|says?|said|suggests?|"
    r"suggested|proposed|proposes|claims?|claimed|asked|asks|wrote|told|states?|stated|argues?|argued|believes?|"
    r"heard|"
    r"according to|remember when)(?![\w'])"
)
ALLOWED_REPORT = pattern(
    r"(?<![\w'])as (?:(?:you|we|i|already) )?(?:said|suggested|proposed|wrote|asked|told)(?![\w'])"
)
TAKEN_BACK = pattern(
    r"(?<![\w'])(?:(?<!even )(?<!as )(?<!only )if|unless|maybe|perhaps|or something|not sure|i guess|not yet|"
    r"yet\b(?=[.\s]{0,4}$)|"
    r"i suppose|or not|would you|what do you think|or should we|shall we)(?![\w'])"
)
LONG_AGO = pattern(
    r"\b(?:in (?:19|20)\d\d|years? ago|back then|back in|originally|at the time|previously|last year)\b"
)
NOTHING_SAID = pattern(r"\s{0,3}(?:it|that|this|these|those|them|one|so|there)?[\s.!]{0,4}$")
# Everyday turns of the deciding verbs, and tools taken up for one step.
NO_CHOICE = pattern(
    r"(?:keep (?:(?:this |that |it |these (?:\w{1,20} )?)?in mind|going|an eye|track|calm|it up|it simple|up\b|me\b"
    r"|us\b|you\b|\w{2,20}ing\b)"
    r"|(?:use|using) (?:(?:the|a|an|my|this|our) )?(?:[`\w.-]{1,30} ){0,2}"
    r"(?:tool|tools|command|commands|function call|subagents?|agents?|skill)\b"
    r"|use `{0,2}(?:grep|rg|sed|awk|cat|ls|find|cd|jq|curl|head|tail)\b"
    r"|(?:remove|use|move|drop|store) (?:the|this|that|these) "
    r"(?:line|lines|function|file|variable|method|code|import|imports|block|call|script|test|tests|value|output|"
    r"result)\b"
    r"|move (?:on|forward|ahead)\b|pick (?:up|this up|it up|that up)|drop (?:you|by|in|me)|go for (?:a|lunch|it)\b)"
)
# A thing taken up for one piece of work: "use X to gather the data".
FOR_A_STEP = pattern(r"use [^.;]{1,80}? to [a-z]{2,20}\b")
UNDECIDED = pattern(
    r"(?:yours|pending|open|not\b|still|up to|hard|tbd|tough|difficult|easy|made|about|on hold|unclear|final\b)"
)
WEIGHED = pattern(r"\b(?:instead of|rather than|over (?!the\b|time\b)|because|since|so that)\b|, not\b")
# Several people, or nobody in particular, decided it, or it is refused: that is no story of somebody's day.
TOGETHER = pattern(rf"(?!i\b){_SOMEBODY}|let|it (?:was|is|has)|(?:the|our|my) ")
STANDING = pattern(r"(?:from now on|going forward|effective immediately|always|never|do not|don't)\b")
# The first words of a question, a doubt or a hope that follows a decision in the same sentence.
ASKING = pattern(
    r"(?:,|,? (?:but|and|so|though|however),?) (?:now )?"
    r"(?:(?:i'm|i am) (?:\w{1,15} ){0,2}(?:(?:sure|unsure|struggling|trouble) (?:how|where|what|which|why|when)"
    r"|wondering|worried|curious|hoping)"
    r"|(?:can|could|would|will|do) you|do i|am i|(?:is|was|will|should) (?:this|that|it|there|i|we)"
    r"|(?:how|what|which|why|where) (?:can|do|does|should|would|are|is|will|could|else))\b"
)
# "I think I'll go with B": to an agent that is a polite decision.
POLITE = pattern(ASIDE + r"i think ")
# "Always use lists when I ask about options" says how to answer, not what is done.
HOW_TO_ANSWER = pattern(r"\b(?:when|whenever|if) i (?:ask|say|mention|request|inquire)\b")
# What one says to have chosen oneself. What one agreed to, committed to or will do is often daily life.
OWN = pattern(r"i\b")
OWN_CHOICE = pattern(
    rf"i(?:(?:'ve| have| had)? {_ADVERBS}(?:decided (?:to|on|against|not to)|(?:chose|chosen|opted) (?:to|for)\b"
    r"|(?:chose|chosen) [^.;]{1,80}? (?:over|instead of|rather than)\b)|(?:'ve| have) (?:now )?chosen\b"
    rf"|(?:'ll| will|'m going to) {_ADVERBS}(?:go|stick|stay) with\b)"
)
SAID_BEFORE = pattern(r"(?:go|stick|stay|do) (?:(?:with|for) )?(?:this|that|these|those|it|them)\b")
REASON = pattern(r"(?<![\w'])(?:because|since|so that|given that|due to)(?![\w'])| [–—-] |: ")
REASON_FIRST = pattern(ASIDE + r"(?:because|since|given)\b")
TOPIC = pattern(ASIDE + r"(?P<topic>(?:for|in|on|regarding|concerning|with|as for) [^,;:]{2,60},? {0,2})")
