"""Names of technologies: languages, frameworks, databases, tools, formats, protocols, algorithms.

A line holds entries with a comma between them; `Canonical=other|other` gives the other names of an entry. Case does not
matter, except after `!`: those are English words too ("go", "express", "rest"), so they count only when capitalised as
here, and "Go" not at the beginning of a sentence.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

_NAMES = """
Python=python3|cpython, JavaScript=js, TypeScript, Java=openjdk, Kotlin, Scala, Clojure, Groovy, C++=cpp
C#=csharp, F#
!Go, Golang, !Rust, !Swift, Objective-C, !Ruby, PHP, Perl, Lua, Haskell, OCaml, Erlang, Elixir, !Elm, !Dart
!Julia, !Crystal
!Zig, !Nim, Fortran, COBOL, MATLAB, SQL, PL/pgSQL=plpgsql, T-SQL=tsql, Bash, Zsh, PowerShell, WebAssembly=wasm
Solidity, VHDL, Prolog
HTML=html5, CSS=css3, Sass=scss, XML, JSON, JSONL=ndjson, YAML=yml, TOML, CSV, Markdown, LaTeX
Protobuf=protocol buffers
Parquet, !Avro, !Arrow, MessagePack=msgpack, BSON, PDF, SVG, UTF-8=utf8, Base64, Unicode, ASCII, Regex
!React=react.js|reactjs, React Native, Vue=vue.js|vuejs, !Angular=angularjs, Svelte, SvelteKit, SolidJS, Preact
!Ember, jQuery
Next.js=nextjs, Nuxt=nuxt.js|nuxtjs, !Remix, !Astro, !Gatsby, Redux, Zustand, MobX, RxJS
Tailwind CSS=tailwind|tailwindcss, !Bootstrap
LoadedItems UI=mui, !Storybook, D3.js=d3, Three.js=threejs, Webpack, !Vite, !Rollup, esbuild, !Babel, SWC
Turbopack, !Parcel, htmx, Alpine.js
Node.js=!Node|nodejs, Deno, !Bun, npm, npx, !Yarn, pnpm, ESLint, !Prettier, !Biome, nvm, !Electron, Tauri
!Capacitor, Cordova, Flutter, !Expo
!Express=express.js|expressjs, Fastify, NestJS, !Koa, !Hapi, tRPC, Prisma, !Drizzle, TypeORM, Sequelize
Mongoose, Socket.IO, Zod
Django=django rest framework|drf, !Flask, FastAPI, Starlette, !Tornado, !Pyramid, aiohttp, httpx, Uvicorn
Gunicorn, Celery
Pydantic, SQLAlchemy, Alembic, psycopg=psycopg2|psycopg3, asyncpg, PyJWT, !Requests, urllib3, BeautifulSoup
Scrapy, Selenium, Playwright
NumPy, pandas, Polars, SciPy, scikit-learn=sklearn, Matplotlib, Seaborn, Plotly, Jupyter=jupyter notebook
PyTorch=torch, TensorFlow, Keras, JAX
spaCy, NLTK, Hugging Face=huggingface, LangChain, LangGraph, LlamaIndex, OpenAI, Anthropic, !Claude, ChatGPT
GPT=gpt-4|gpt-4o, LLM, !RAG
Ollama, vLLM, CUDA, ONNX, MLflow, Airflow, Dagster, !Prefect, dbt, !Spark=apache spark|pyspark, Hadoop, Flink
!Beam, Dask, !Ray, DuckDB
pytest, unittest, tox, nox, !Hypothesis, mypy, Pyright, Ruff, isort, Flake8, Pylint, Poetry, pip, pipenv
uv, conda, setuptools, virtualenv
structlog, APScheduler, Typer, !Rich, asyncio, !Trio, Cython, Numba, !Rye, !Hatch, pdm, pre-commit, coverage.py
Werkzeug, Jinja=jinja2
Spring Boot, !Spring=spring framework, Hibernate, Maven, Gradle, JUnit, Quarkus, Micronaut, Tomcat, Jetty
Lombok, Mockito, Log4j, JVM
!Rails=ruby on rails, Sinatra, Sidekiq, RSpec, !Puma, !Bundler, Laravel, Symfony, !Composer, WordPress, Drupal
Magento, !Twig
.NET=dotnet|asp.net|.net core, Blazor, Entity Framework, NuGet, xUnit, !Unity, Unreal Engine, Godot
Phoenix LiveView, Ecto
Tokio, Actix, Axum, Serde, !Cargo, !Rocket, !Diesel, !Cobra, GORM, Qt, GTK, SwiftUI, UIKit, Jetpack Compose
CocoaPods, Xcode
PostgreSQL=postgres|psql|pg, MySQL, MariaDB, SQLite=sqlite3, Oracle Database, SQL Server=mssql, CockroachDB
YugabyteDB, Citus, TimescaleDB
MongoDB=mongo, Redis Streams, Redis, Valkey, Memcached, DynamoDB, Cassandra, ScyllaDB, CouchDB, Couchbase
Firestore, Firebase, Supabase, Neo4j
Elasticsearch=elastic search, OpenSearch, Solr, Lucene, Meilisearch, Typesense, Algolia, pgvector, Pinecone
Weaviate, Qdrant, Milvus, FAISS, !Chroma
ClickHouse, Snowflake, BigQuery, Redshift, Databricks, InfluxDB, Prometheus, Grafana, !Loki, Jaeger, Zipkin
OpenTelemetry=otel, Datadog, Sentry
New Relic, Splunk, Kibana, Logstash, Fluentd, Fluent Bit, PagerDuty, Nagios, Zabbix, StatsD, Honeycomb
PgBouncer, Pgpool, Patroni, Debezium
Kafka=apache kafka, RabbitMQ, ActiveMQ, NATS, !Pulsar, ZeroMQ, MQTT, AMQP, SQS, SNS, Kinesis, Pub/Sub=pubsub
EventBridge, !Temporal, etcd
Docker Compose=docker-compose, Docker, Podman, containerd, Kubernetes=k8s, kubectl, Helm, Istio, Linkerd, !Envoy
Argo CD=argocd, k3s, minikube
Terraform, OpenTofu, Pulumi, Ansible, !Puppet, !Chef, SaltStack, !Packer, Vagrant, !Nomad, !Consul
HashiCorp Vault, CloudFormation, AWS CDK
AWS=amazon web services, EC2, S3=amazon s3, !Lambda, RDS, ECS, EKS, Fargate, CloudFront, CloudWatch, Route 53
IAM, Cognito, API Gateway, !Aurora, MinIO
Azure, GCP=google cloud|google cloud platform, GKE, Cloud Run, App Engine, Heroku, Vercel, Netlify, Cloudflare
Cloudflare Workers, Fly.io, DigitalOcean, Hetzner
GitHub Actions, GitHub, GitLab CI, GitLab, Bitbucket, Jenkins, CircleCI, Travis CI, TeamCity, Buildkite
Drone CI, Bazel, CMake, !Meson, CI=ci/cd
Git, Subversion=svn, Mercurial, Jira, !Confluence, !Notion, !Slack, Figma, !Postman, !Insomnia, Swagger, OpenAPI
VS Code=vscode|visual studio code
IntelliJ=intellij idea, PyCharm, Neovim, Vim, Emacs, tmux, systemd, cron, OpenSSH, OpenSSL, LibreSSL, GnuPG=gpg
rsync, cURL=curl, wget, jq, grep, sed, awk, ripgrep
nginx, Apache=apache httpd|httpd, HAProxy, Traefik, Caddy, Varnish, !Squid, Linux, Ubuntu, Debian, !Fedora
CentOS, RHEL=red hat, Alpine Linux, Arch Linux
macOS=mac os|os x, !Windows, iOS, iPadOS, Android, FreeBSD, WSL=wsl2, Raspberry Pi, Arduino, ARM64=aarch64
x86=x86_64, !Safari, Firefox, !Chrome, Chromium
HTTP=http/1.1|http/2|http/3, HTTPS, !REST=restful, GraphQL, gRPC, !SOAP, WebSocket=websockets, WebRTC
SSE=server-sent events, JSON-RPC, OData, TCP, UDP, DNS, QUIC
SSH, SFTP, FTP, SMTP, IMAP, LDAP, SAML, OAuth=oauth2|oauth 2.0, OpenID Connect=oidc
JWT=jwts|json web token|json web tokens, JWKS, JWE, CORS, CSRF, TLS=tls 1.2|tls 1.3, SSL, mTLS
SSO, MFA, TOTP, WebAuthn, Passkeys, Kerberos, Keycloak, Auth0, Okta, RBAC, HSTS, CDN, VPN, WireGuard, IPsec
IPv4, IPv6, DHCP, BGP, NFS, SMB, iptables
RS256, RS384, RS512, HS256, HS384, HS512, ES256, ES384, ES512, PS256, EdDSA=ed25519, ECDSA, RSA
AES=aes-256|aes-256-gcm|aes-128, ChaCha20, HMAC, PBKDF2
SHA-1=sha1, SHA-256=sha256, SHA-512=sha512, SHA-3=sha3, MD5, CRC32, BLAKE2=blake2b, BLAKE3, bcrypt, scrypt
Argon2=argon2id, PKCE, Diffie-Hellman, gzip, Brotli, zstd=zstandard
LZ4, !Snappy, UUID=uuids|uuidv4|uuidv7, ULID=ulids, CRDT=crdts, !Raft, Paxos, BM25, TF-IDF, k-means, Dijkstra
PageRank, Bloom filter=bloom filters
HNSW, B-tree=b-trees|btree, LSM tree=lsm, Merkle tree=merkle trees, LRU, quicksort, ORM=orms, API=apis, SDK=sdks
CLI, CRUD, MVC, WAL, GIN=gin index, BRIN
Stripe, PayPal, Adyen, Twilio, SendGrid, Mailgun, Shopify, Salesforce, HubSpot, Zapier, Contentful, Strapi
Jest, Vitest, !Mocha, !Chai, !Jasmine, !Cypress, Puppeteer, Testcontainers, !Locust, k6, JMeter, Gatling
SonarQube, Dependabot, Renovate, Snyk
RISC-V, V8, LLVM, GCC, Clang, GDB, Valgrind, eBPF, OpenCV, FFmpeg, ImageMagick, !Blender, !Excel, MCP, ACP, DSPy
LiteLLM
"""


def _entries() -> tuple[dict[str, str], dict[str, str]]:
    """Canonical names by other names in lower case, and those whose capitals matter as they are."""
    by_name: dict[str, str] = {}
    exact: dict[str, str] = {}
    for entry in _NAMES.replace("\n", ",").split(","):
        name, _, others = entry.strip().partition("=")
        if not name:
            continue
        canonical = name.removeprefix("!")
        for known in (name, *filter(None, others.split("|"))):
            if known.startswith("!"):
                exact[known[1:]] = canonical
            else:
                by_name[known.lower()] = canonical
    return by_name, exact


_by_name, _exact = _entries()
TECHNOLOGIES: Mapping[str, str] = MappingProxyType(_by_name)
CAPITALISED: Mapping[str, str] = MappingProxyType(_exact)
_VERSION = re.compile(r"[-_ ]?v?\d{1,4}(?:\.\d{1,4}){0,3}(?:\.x)?$")
LONGEST_NAME = max(name.count(" ") for name in TECHNOLOGIES) + 1
"""The number of words in the longest name."""
FIRST_WORDS = frozenset(name.split(" ", 1)[0] for name in TECHNOLOGIES if " " in name)
"""The words that a name of several words may begin with."""


def technology(word: str, begins_sentence: bool = False) -> str | None:
    """The canonical name of a technology, whatever version stands at its end, or None."""
    known = TECHNOLOGIES.get(word.lower())
    if known is not None:
        return known
    if word in CAPITALISED and not (begins_sentence and word.istitle()):
        return CAPITALISED[word]
    bare = _VERSION.sub("", word[:60])
    if bare and bare != word[:60]:
        return TECHNOLOGIES.get(bare.lower()) or CAPITALISED.get(bare)
    return None
