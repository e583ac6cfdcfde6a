// The entry point for CommonJS. It is in node_modules, and Node prints its warning about
// loading ES modules with require() only for files outside.
import answering = require('./app/source/answer-require.ts')
import restable = require('./index.ts')

answering.answerRequire(module)

export = restable
