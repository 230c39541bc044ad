"""Word lists that tell noun phrases from the words around them, and names of errors, files and decorators."""

from backstory.domain.text.words import word_set

FUNCTION_WORDS = word_set(
    """a an the this that these those it its he she they them their we us our you your i me my mine who whom whose
    which what when where why how and or but nor so yet if then else than as at by for from in into of off on
    onto out over per to up with within without about above across after against along among around before
    behind below beneath beside between beyond down during except inside near outside since through throughout
    till toward towards under until upon via is are was were be been being am do does did done doing has have
    had having can could may might must shall should will would not no yes ok okay please thanks also just only
    even still too very really quite rather already again always never ever often sometimes maybe perhaps here
    there now soon later today tomorrow yesterday each every either neither both all any some many much more
    most few fewer less least several other another same such own one two three four five six seven eight nine
    ten first second third last next previous once twice because though although while whereas whether unless
    however therefore thus hence instead otherwise anyway actually basically simply probably possibly definitely
    certainly currently recently finally mostly mainly nearly almost don't doesn't didn't isn't aren't wasn't
    weren't won't can't cannot couldn't shouldn't wouldn't haven't hasn't hadn't let's i'm i'll i've i'd we're
    we'll we've we'd you're you'll you've they're it's that's there's what's everything nothing something
    anything everybody nobody somebody anybody everyone someone anyone none lot lots bit kind sort thing things
    stuff way ways like etc eg ie vs plus minus versus whatever whenever wherever hey hi hello hmm ah oh well
    sure right alright great good bad fine nice cool"""
)

WEAK_WORDS = word_set(
    """new old big small large tiny huge long short high low full empty whole half entire current existing actual
    real different similar several various certain specific general simple easy hard clear able ready available
    possible impossible likely unlikely important better best worse worst main major minor extra additional
    further proper correct wrong right left true false good bad early late fast slow quick slower faster cheaper
    simpler smaller bigger single double multiple separate common usual normal recent daily weekly monthly next
    last only own original final initial necessary required needed missing broken stale wasn necessary
    successful failing failed clean dirty nightly based plain dispute blue red green black white orange yellow
    british american internal external honest given following above below previous upcoming latest unnecessary
    unused relevant useful valid invalid"""
)

BASE_VERBS = word_set(
    """add ask avoid be become begin believe break bring build buy call cap carry catch change check choose clean
    clear click close come compare consider contain continue copy create cut deal decide define delete deliver
    deploy describe design detect develop disable discuss do drop edit enable end ensure enter exist expect
    explain expose extend fail fall feel fetch figure fill find finish fit fix follow force forget generate get
    give go grow guess handle happen hate have hear help hide hit hold hope host ignore implement import improve
    include increase insert install investigate invite involve issue join jump keep kill know lack launch lead
    learn leave let list live lock look lose love make manage mark match matter mean measure meet merge mention
    migrate mind miss move name need notice offer open order own pass pay pick pin ping plan play point prefer
    present press prevent produce profile propose protect prove provide pull push put raise reach read realise
    realize receive recommend record reduce refer refuse reject release rely remain remember remove rename
    render replace reply report request require reset resolve restart restore retry return review revert revoke
    rewrite rotate run save say scan see seem select send serve set share ship show skip slow solve speak spend
    split stand start stay stick stop store stream submit suggest support suppose switch take talk target tell
    test think throw touch track trigger trust try turn understand update upgrade upload use validate verify
    view wait walk want warn watch win wish wonder work worry wrap write"""
)


def _forms(verb: str) -> tuple[str, ...]:
    stem = verb.removesuffix("e")
    return (
        verb,
        verb + "s",
        verb + "es",
        stem + "ed",
        stem + "ing",
        stem + stem[-1] + "ing",
        stem + stem[-1] + "ed",
    )


VERBS = frozenset(form for verb in BASE_VERBS for form in _forms(verb)) | word_set(
    """ran wrote written took taken saw seen went gone gave given made built kept left lost found got told thought
    knew brought bought caught chose chosen came became began broke broken fell felt held hid hit led let meant
    met paid put read said sent set shown shut sold spent stood stuck taught threw thrown understood won gets
    does says shows dies died fails passes uses having"""
)

HEADS = word_set(
    """access account action adapter address agent alert algorithm alias analysis analytics annotation architecture
    argument artifact assertion attack attribute audit authentication authorization backend backlog backoff
    backup balancer bandwidth banner baseline batch benchmark binary block board boundary branch breaker
    breakpoint broker bucket budget buffer bug build bundle bus byte cache caching callback campaign certificate
    chain changelog channel chart check checkpoint checkout checksum class client cluster code collection column
    command commit commits compaction compatibility compiler completion component compression concurrency
    condition config configuration conflict connection consistency console constraint consumer container content
    context contract controller cookie counter coverage credential cursor cutoff cycle daemon dashboard data
    database deadline deadlock debt delay deletion delivery dependency deploy deployment design development
    device dialog dictionary diff directory discovery discount distribution document documentation domain
    download downtime driver duplicate editor element email embedding encoding encryption endpoint engine entity
    entry entries environment epoch error escape estimate evaluation event exception execution expiry exporter
    expression extension factor factory failover failure fallback feature feed field file filter fixture flag
    flow format formula fork framework frame frontend function gateway generation generator grant graph group
    guard guideline handle handler handling handshake hash hashing header health heap history hook host identity
    image import incident index indexes infrastructure inheritance injection input insertion inspection
    installation instance integer integration integrity interface interval inventory invoice isolation iteration
    job join journal kernel key label language latency layer layout leak ledger library licence license
    lifecycle limit limiter limiting limits link linter listener load loader loading locale location lock
    locking log logging logic login loop machine mailbox manifest mapping matrix measurement memory message
    metadata method metric middleware migration mirror mode model module monitor monitoring namespace network
    node notation notification object observer offset onboarding operation operator optimisation optimization
    optimizer orchestration ordering outage output overhead overlay package page pagination panel parameter
    parser parsing partition partitioning password patch path pattern payload payment performance permission
    persistence pipeline planner platform plugin pointer policy poll polling pool pooling port portal prefix
    pricing primitive priority privacy procedure process processor producer production profile programming
    project projection prompt proof property protocol provider proxy publisher query queue quota race range rate
    ratio record recovery recursion redirect refactoring reference refund region registry regression release
    renderer replay replica replication report repository request requirement reset resolution resolver resource
    response restart restore retention retry review revision role rollback rollout rotation route router routing
    rule runner runtime sample sandbox schedule scheduler schema scheme scope score screen script scripting
    search secret security segment selector semantics sequence serialization server service session setting
    settings setup shard sharding shell signal signature snapshot socket source specification spike sprint stack
    stage staging standard state statement status storage store strategy stream streaming string structure style
    subscription suffix suite summary swap switch sync syntax system systems table tag target task template
    tenant terminal test testing theme theorem thread threshold throttling throughput ticket tier timeout timer
    timestamp timezone token tokenizer toolchain topic trace tracing traffic transaction transfer transformation
    translation transport tree trigger type typing understanding union unit update upgrade upload upsert usage
    user utility validation validator variable variance variant vector version view virtualization volume
    vulnerability warehouse webhook widget window worker workflow workload workspace wrapper writer zone"""
)

SHOUTED = word_set(
    """OK TODO FIXME NOTE FYI BTW IMO IMHO ASAP LGTM WIP TLDR AND OR NOT NULL TRUE FALSE NO YES THE IS IT I AM PM
    US UK EU USA UTC GMT MUST SHOULD MAY NEVER ALWAYS DO DONE IF THEN ELSE FOR IN ON AT TO BY GB MB KB TB MS KM
    ANALYZE SELECT INSERT UPDATE DELETE FROM WHERE WIP PR PRS ETA EOD AFAIK EOF II III IV VI VII WARNING ERROR
    INFO DEBUG FATAL THIS THAT WITH BUT ALL ANY SO BE AS AN WE YOU HAVE HAS ONLY VERY PLEASE STOP"""
)

FILE_ENDINGS = word_set(
    """py pyi pyx ipynb js jsx mjs cjs ts tsx vue svelte json jsonl ndjson json5 yaml yml toml ini cfg conf config
    md mdx rst txt adoc sql sh bash zsh fish ps1 bat cmd go rs java kt kts scala groovy gradle clj c h cc cpp
    cxx hpp hh cs fs vb rb erb php pl lua ex exs erl hs ml mli swift dart zig nim jl html htm css scss sass less
    xml xsd svg png jpg jpeg gif webp ico pdf doc docx xls xlsx pptx csv tsv parquet avro proto graphql gql tf
    tfvars hcl lock log diff patch tmpl j2 jinja ejs hbs pug wasm jar war whl zip gz tgz tar bz2 xz zst sqlite
    db dump pem crt cer plist xcodeproj sln csproj env properties service socket timer rules snap spec feature
    po pot ttf woff woff2 mp3 mp4 wav bin exe dll dylib mod sum make cmake mk am ac bzl bazel nix vim el tex bib"""
)
SHAKY_ENDINGS = word_set(
    "config env log lock db service socket timer rules spec feature make bin mod sum am ac el properties cmd"
)
"""Endings that are words or attributes too: a path must stand before them, or a name known to be a file's."""

FILE_NAMES = word_set(
    """Dockerfile Containerfile Makefile GNUmakefile Procfile Jenkinsfile Vagrantfile Gemfile Rakefile Brewfile
    Caddyfile Justfile justfile Pipfile Podfile Fastfile Tiltfile Earthfile BUILD WORKSPACE CODEOWNERS LICENSE
    README CHANGELOG .env .gitignore .gitattributes .gitmodules .dockerignore .editorconfig .eslintrc
    .prettierrc .babelrc .npmrc .nvmrc .bashrc .zshrc .profile .vimrc .flake8 .pylintrc .htaccess .env.local
    .env.example go.mod go.sum poetry.lock uv.lock yarn.lock Cargo.lock Gemfile.lock package-lock.json app.log
    server.log error.log access.log debug.log nginx.log"""
)
ROOTS = ("/etc/", "/usr/", "/var/", "/home/", "/opt/", "/tmp/", "/root/", "/mnt/", "/srv/", "/app/", "/workspace/",
         "/Users/", "/proc/", "/dev/", "/sys/", "/data/", "/lib/", "~/", "./", "../")  # fmt: skip

DECORATORS = word_set(
    """property staticmethod classmethod dataclass override abstractmethod lru_cache cache cached_property wraps
    contextmanager asynccontextmanager pytest fixture app router task shared_task overload final deprecated
    typing functools test Test Override Autowired Component Service Controller Injectable Input Output Entity
    Column Bean GetMapping PostMapping RequestMapping Nullable NotNull media import keyframes apply tailwind
    layer include mixin param params return returns throws type types example see todo since author version
    latest next beta alpha everyone here channel all ts-ignore ts-expect-error nocommit"""
)

ERRNO = word_set(
    """EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG EBADF ECHILD EAGAIN ENOMEM EACCES EFAULT EBUSY EEXIST EXDEV ENODEV
    ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY EFBIG ENOSPC ESPIPE EROFS EMLINK EPIPE EDOM ERANGE EDEADLK
    ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP EWOULDBLOCK ENOTSOCK EMSGSIZE EPROTO EADDRINUSE EADDRNOTAVAIL
    ENETDOWN ENETUNREACH ECONNABORTED ECONNRESET ENOBUFS EISCONN ENOTCONN ETIMEDOUT ECONNREFUSED EHOSTDOWN
    EHOSTUNREACH EALREADY EINPROGRESS ESTALE EDQUOT ENOTSUP EOPNOTSUPP EAI_AGAIN ENOTFOUND ERESOLVE"""
)
SIGNALS = word_set(
    """SIGHUP SIGINT SIGQUIT SIGILL SIGTRAP SIGABRT SIGBUS SIGFPE SIGKILL SIGUSR1 SIGSEGV SIGUSR2 SIGPIPE SIGALRM
    SIGTERM SIGCHLD SIGCONT SIGSTOP SIGTSTP SIGTTIN SIGTTOU"""
)
OTHER_ERRORS = word_set(
    """StopIteration StopAsyncIteration KeyboardInterrupt SystemExit GeneratorExit OOMKilled CrashLoopBackOff
    ImagePullBackOff ErrImagePull Segfault segfault UniqueViolation DeadlockDetected SerializationFailure
    VersionConflict BrokenPipe"""
)

KEYWORDS = word_set(
    """true false null none nil undefined return if else elif for while do try except catch finally raise throw
    import from export default class def function func fn let const var self this super new int str bool float
    string number object void async await yield lambda pass break continue in is not and or with as id ok main
    master head"""
)
