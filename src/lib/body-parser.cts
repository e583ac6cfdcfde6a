// `require('json-server/lib/server/body-parser')`: some programs import json-server's internals.
import restable = require('../index.ts')

export = restable.bodyParser
