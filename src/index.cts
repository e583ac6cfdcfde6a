// The entry point for CommonJS. It is in node_modules, and Node prints its warning about
// loading ES modules with require() only for files outside.
import express4 = require('./app/source/lend-express-4-paths.ts')
import restable = require('./index.ts')

express4.lendToRequirer(module)

export = restable
