# Tablée in a container: docker build -t tablee . && docker run -p 8000:8000 -v tablee:/data tablee
FROM python:3.13-slim AS wheel
COPY . /source
RUN pip wheel --no-cache-dir --no-deps -w /wheel /source

FROM python:3.13-slim
RUN useradd --system --uid 1000 --create-home tablee && install -d -o tablee /data
COPY --from=wheel /wheel /wheel
RUN pip install --no-cache-dir "$(ls /wheel/*.whl)[serve,postgres]" && rm -r /wheel
USER tablee
# The machine code of the rules is made once, when the image is built.
RUN tablee warm
# Games are kept under /data/tablee, unless TABLEE_DATABASE names a PostgreSQL; then only reports are.
ENV XDG_DATA_HOME=/data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --start-period=30s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/api/health', timeout=5)"]
ENTRYPOINT ["tablee", "serve", "--no-open"]
