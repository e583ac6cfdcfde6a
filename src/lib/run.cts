// `require('json-server/lib/cli/run')`: the entry point of json-server-auth's own command.
import command = require('../cli/run.ts')

export = command.runParsed
