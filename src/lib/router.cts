// `require('json-server/lib/server/router')`: some programs import json-server's internals.
import restable = require('../index.ts')

export = restable.router
