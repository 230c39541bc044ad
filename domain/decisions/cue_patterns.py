"""The words and expressions by which `cues` tells a decision. All match text in lower case, and each is bounded."""

from backstory.domain.text.pattern import pattern

_SOMEBODY = r"(?:we|i|(?:the|our) (?:\w{1,20} ){0,2}(?:team|council|board|group|committee|guild))"
_ADVERBS = (
    r"(?:(?:all|just|simply|now|then|also|therefore|definitely|finally|instead|already|still|both|only|first|"
    r"hereby|jointly|explicitly|unanimously|for now|at last|later|today|yesterday|recently|eventually|"
    r"ultimately) ){0,2}"
)
# To do one of these is to commit to something. To look, check, run, write or fix is just work.
_COMMIT = (
    r"(?:use|go (?:with|for|ahead with)|stick (?:with|to)|stay (?:with|on|in)|keep|adopt|switch (?:over )?(?:to|"
    r"from)|"
    r"move (?:\w{1,20} )?(?:to|from|away|off)|migrate (?:\w{1,20} )?(?:to|from)|pick|choose|settle (?:on|for)|"
    r"standardi[sz]e on|default to|opt (?:for|to)|drop|skip|store|cap|limit|pin|require|call|name|rename|target|"
    r"ship|support|enforce|forbid|ban|replace|remove|retire|deprecate|defer|postpone|leave|split|merge|disable|"
    r"enable|put|host|treat|cut|set|avoid|do (?:option|plan|approach|variant)|rely on|"
    r"encrypt|reject|refuse|accept|allow|deny|freeze|launch|release|vendor|reuse|standardi[sz]e)"
)
_COMMITTING = (
    r"(?:going with|dropping|switching (?:over )?to|moving (?:to|away|off)|sticking (?:with|to)|"
    r"staying (?:with|on)|keeping|adopting|retiring|standardi[sz]ing on|skipping|postponing|deprecating)"
)
_REFUSED = (
    r"(?:be )?(?:support|use|build|writ|ship|do|offer|add|accept|translat|maintain|allow|store|migrat|rewrit|"
    r"implement|us|adopt|keep|host|sell|port|backport|releas|chang|mov|switch)(?:e|ing)?"
)
_AM = r"(?:'m|'re| am| are)"
DECIDING = pattern(
    r"(?<![\w'])(?:"
    rf"(?P<frame>let(?:'s|s| us) {_ADVERBS}(?=(?:not )?{_COMMIT}\b)"
    rf"|(?:we|i)(?:'ll| will|{_AM} going to) {_ADVERBS}(?=(?:not )?{_COMMIT}\b)"
    rf"|{_SOMEBODY}(?:'ve|'s| have| has| had)? {_ADVERBS}(?:decided|agreed|chosen|chose|opted|elected|concluded|"
    rf"resolved)"
    r"(?: (?:yesterday|today|together|internally|last week|with [\w ]{2,30}?))? (?:to |that |(?=not to ))"
    r"|it (?:was|is|has been|was finally) (?:decided|agreed|resolved)(?: (?:yesterday|today|"
    r"last week))? (?:that |to )"
    rf"|(?:i want|i'd like|i would like) (?:us )?to (?={_COMMIT}\b(?<!use)(?<!call)(?<!put)(?<!do))"
    r"|(?:the|our|my)(?: final)? (?:decision|verdict|call|ruling|conclusion) (?:is|was)(?: now)? (?:to |that )"
    rf"|(?:we|i){_AM} {_ADVERBS}(?={_COMMITTING}\b))"
    rf"|(?P<whole>{_SOMEBODY}(?:'ve|'s| have| has| had)? {_ADVERBS}"
    r"(?:decided (?:on|against|for|in favou?r)|agreed (?:on|upon)|settled (?:on|for)|chosen|chose|opted (?:for|"
    r"to|against)|"
    r"picked(?! up)|selected|gone with|went with|gone for|went for|standardi[sz]ed on|committed to)(?! (?:yet|"
    r"who|what|which))"
    rf"|(?:we)(?: won't| will not|{_AM} not going to|{_AM} never going to) (?={_REFUSED}\b)"
    r"|(?:the|our|my)(?: final)? (?:choice|pick|decision) (?:is|was) (?!to |that )"
    r"|ended up (?:choosing|picking|adopting|going with|(?:using|keeping)(?=[^\n]{3,60}\b(?:over|instead)\b))"
    rf"|i(?:'m| am) (?:fine|good|ok|okay) with (?!either|both|whatever|any|that\b|this\b|it\b|all\b|how\b))"
    # Plain work, unless a reason or what was not done instead shows that there was a choice.
    r"|(?P<weak>(?:we|i) (?:only |just |deliberately |intentionally )?(?:kept|took|left|used|made|put|split|"
    r"avoided|skipped|"
    r"touched|limited|moved|stored|chose)\b|will (?:be|stay|use|go|live|have|remain)\b)"
    r")"
)
ASIDE = (
    r"(?:(?:hmm|nah|just|pls|one note|btw|by the way|anyway|that said|ok|okay|yes|yep|yeah|yup|no|alright|"
    r"all right|right|fine|great|good point|good idea|good|sure|so|then|and|but|"
    r"well|thanks|thank you|cool|perfect|sounds good|agreed|in the end|finally|now|also|please|hence|therefore|"
    r"thus|after all|as discussed|as agreed|based on this|for now)(?![\w'])[\s,.:!–—-]{0,4}){0,5}"
)
# Where a cue may begin. The long expression above is tried there and nowhere else.
SUBJECT = pattern(r"(?:let|we|i|our|my|the|it|ended|will)(?![a-z])|lets ")
LABEL = pattern(
    r"[*_#\s]{0,6}(?P<aside>" + ASIDE + r")(?:(?:the|our|my|final|team|key|main) ){0,3}"
    r"(?:decision|decisions|decided|agreed|resolved|resolution|verdict|conclusion|final call|call|outcome|"
    r"consensus|new rule|"
    r"rule|new policy|policy|confirmed(?: (?:with|by) [\w ]{2,30}?)?)"
    r"[*_]{0,3}\s{0,2}(?::|–|—| - )[*_\s]{0,4}"
    r"|agreed, (?=[^\n]{0,40}\b(?:we|we'll|let's|use|keep|go|drop|no|one|two|only|always|never|must|will|\d{1,9})\b)"
)
ORDER = pattern(
    r"[*_\s]{0,4}(?P<aside>" + ASIDE + r")"
    r"(?:(?P<from>(?:from now on|going forward|effective immediately|starting (?:today|now|tomorrow)),? )(?=\S)"
    r"|(?:(?P<plain>stop [a-z]{2,20}ing|(?:don't|do not) bother (?:with|about)|ship(?! it[.!\s]{0,4}$)|drop|skip|"
    r"go (?:with|for|ahead with)|stick (?:with|to)|stay (?:with|on)|switch (?:over )?to|standardi[sz]e on|"
    r"default to|settle on|adopt|keep)|(?P<use>use|do not use|don't use|never use|always use)) (?=\S))"
)
# Where an order may stand at all: looked for in a whole text before it is cut into sentences.
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
    r"i believe|i hope|i wish|i'd say|never|it'd|i'd|we'd|imagine|ideally|pretend|don't think|unclear|after we|"
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
CONTRAST = pattern(
    r"\b(?:instead of|rather than|because|since|so that)\b|, so (?:a|the|we|it|that|you|no)\b|\bover (?:a|the)\b"
)
NOTHING_SAID = pattern(r"\s{0,3}(?:it|that|this|these|those|them|one|so|there)?[\s.!]{0,4}$")
NO_CHOICE = pattern(
    r"(?:(?:\w{2,12} ){1,2}each other|keep (?:on\b|at\b|ya\b|(?:that|your|those|the) (?:posit|finger|good|great|"
    r"faith|spirit)|\w{2,20}in'|you\b|in mind|going|an eye|\w{2,20}ing\b|track|it up|me\b|us\b|calm|"
    r"that in mind|this in mind|up\b)"
    r"|(?:use|using) (?:(?:the|a|an|my|this|our) )?(?:[`\w.-]{1,30} ){0,2}"
    r"(?:tool|tools|command|commands|function call)\b"
    r"|(?:always |never )?use (?:the )?[`\w.-]{1,30}(?: [`\w.-]{1,30})? to (?:find|search|look|check|see|view|"
    r"read|inspect|verify|"
    r"locate|edit|list|update|open|get|fetch|explore|understand|run|test|confirm|replace|count|show|debug|figure)\b"
    r"|use `{0,2}(?:grep|rg|sed|awk|cat|ls|find|cd|jq|curl|head|tail)\b"
    r"|stay in touch|(?:replace|remove|rename|set|put|call|move|use|split|merge|leave|drop|store) (?:the|this|"
    r"that|these) "
    r"(?:line|lines|function|file|variable|method|code|import|imports|block|call|script|test|tests|value|output|"
    r"result)\b"
    r"|leave (?:you\b|now|soon|work|for the day|early|me\b|us\b)|set (?:up|off|out|a reminder)|call (?:you|me|"
    r"it a day|him|her|them)\b"
    r"|put (?:it differently|together|another way)|move (?:on|forward|ahead)\b|have (?:to|a look|a chat|a call|"
    r"you|lunch|an? )"
    r"|release you|cut to|drop (?:you|by|in|me)|pick (?:up|this up|it up|that up)|skip (?:to|ahead)|name (?:a|one)\b"
    r"|keep it simple|allow me|accept my|go for (?:a|lunch|it)\b|put (?:a|some) |limit myself|split up)"
)
UNDECIDED = pattern(
    r"(?:yours|pending|open|not\b|still|up to|hard|tbd|tough|difficult|easy|made|about|on hold|unclear|final\b)"
)
WEIGHED = pattern(
    r"\b(?:instead|rather than|over|because|since|so that|from now on|everywhere|for now|as the|as our|"
    r"for all|for every|in all|only|always)\b|, not\b|\bnot\b"
)
NAMED = pattern(r"[a-z]\d|\d[a-z]|[`_/]|[A-Z]")
LISTED = pattern(
    r"[*_#\s]{0,6}(?:(?:the|our|my|final|team|key|main|all) ){0,3}decisions?(?: (?:made|taken|so far|today|"
    r"we made|log)){0,2}"
    r"[*_]{0,3}\s{0,2}:?[*_\s]{0,4}$"
)
OPENING = pattern(ASIDE + r"(?:(?:since|because|given that|given|due to|as) [^,\n]{3,200}, )?")
REASON = pattern(r"(?<![\w'])(?:because|since|so that|given that|due to)(?![\w'])| [–—-] |: ")
REASON_FIRST = pattern(ASIDE + r"(?:because|since|given)\b")
TOPIC = pattern(ASIDE + r"(?P<topic>(?:for|in|on|regarding|concerning|with|as for) [^,;:]{2,60},? {0,2})")
