// `require('json-server/lib/server/defaults')`: some programs import json-server's internals.
import restable = require('../index.ts')

export = restable.defaults
