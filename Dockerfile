FROM python:3.12-slim AS page
WORKDIR /src
COPY requirements/ requirements/
RUN pip install --no-cache-dir --require-hashes -r requirements/node.txt
COPY dashboard/ dashboard/
RUN cd dashboard \
 && npm ci --no-audit --no-fund --ignore-scripts \
 && npm run build

FROM python:3.12-slim AS build
WORKDIR /src
# The dependencies first: they change less often than the code, so their layer stays cached.
COPY requirements/ requirements/
RUN pip install --no-cache-dir --require-hashes -r requirements/build.txt \
 && python -m venv /opt/backstory \
 && /opt/backstory/bin/pip install --no-cache-dir --require-hashes -r requirements/runtime.txt
COPY pyproject.toml README.md LICENSE ./
COPY backstory/ backstory/
COPY application/ application/
COPY domain/ domain/
COPY projections/ projections/
COPY infrastructure/ infrastructure/
COPY interfaces/ interfaces/
COPY --from=page /src/interfaces/http/page/ interfaces/http/page/
RUN pip wheel --no-deps --no-build-isolation --wheel-dir /dist . \
 && /opt/backstory/bin/pip install --no-cache-dir --no-deps --no-index /dist/*.whl

FROM python:3.12-slim
RUN useradd --system --create-home --uid 10001 backstory
COPY --from=build /opt/backstory /opt/backstory
ENV PATH=/opt/backstory/bin:$PATH PYTHONUNBUFFERED=1
USER backstory
WORKDIR /home/backstory
# By itself the container brings the schema up to date, reports, and ends; `backstory worker` goes on.
CMD ["sh", "-c", "backstory db upgrade && backstory db status"]
