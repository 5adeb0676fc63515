# The server as an image of one executable and the few libraries that it loads: no shell, no package manager, not root.
#   docker buildx build --platform linux/amd64,linux/arm64 -t overround .
FROM oven/bun:1.4.5-slim AS build
WORKDIR /source
COPY package.json bun.lock ./
COPY ops ops
RUN bun install --frozen-lockfile --production
COPY tsconfig.json ./
COPY rosters rosters
COPY docs docs
COPY scripts scripts
COPY src src
COPY clients/typescript/src clients/typescript/src
RUN bun scripts/binary.ts /build/overround && sh ops/image-tree.sh /build/overround /tree

FROM scratch
COPY --from=build /tree /
COPY --from=build --chown=10001:10001 /tree/data /data
USER 10001:10001
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 CMD ["/usr/local/bin/overround", "ready"]
ENTRYPOINT ["/usr/local/bin/overround"]
CMD ["start"]
