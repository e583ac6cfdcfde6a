// `require('json-server/lib/cli/run')`: json-server-auth has a command of its own, which ends here.
import command = require('../cli/run-parsed.ts')

export = command.runParsed
