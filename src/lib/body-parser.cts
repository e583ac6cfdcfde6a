// `require('json-server/lib/server/body-parser')`: some programs reach past json-server's front door.
import restable = require('../index.ts')

export = restable.bodyParser
