// `require('json-server/lib/server/rewriter')`: some programs import json-server's internals.
import restable = require('../index.ts')

export = restable.rewriter
