// `require('json-server/lib/server/router')`: some programs reach past json-server's front door.
import restable = require('../index.ts')

export = restable.router
