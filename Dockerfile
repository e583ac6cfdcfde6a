# restable in a container. The data is a folder of the host:
#   docker build -t restable . && docker run -p 3000:3000 -v ./data:/data restable
FROM node:22-alpine AS build
WORKDIR /src
COPY . .
RUN npm ci && npm pack --pack-destination /

FROM node:22-alpine
COPY --from=build /restable-*.tgz /tmp/
RUN npm install --global /tmp/restable-*.tgz && rm -r /tmp/restable-*.tgz ~/.npm && mkdir /data && chown node /data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 3000
# A guard may refuse it; 503 says that the data cannot be reached.
HEALTHCHECK --interval=10s --timeout=3s CMD ["node", "-e", "fetch('http://127.0.0.1:3000/health-check').then(({ status }) => process.exit(status < 500 ? 0 : 1))"]
ENTRYPOINT ["restable", "--host", "0.0.0.0"]
CMD ["db.json"]
