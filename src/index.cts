// CommonJS users get in through this file, which stands in node_modules: Node prints its warning about
// loading ES modules with require() only for files of the user's own.
import answering = require('./app/modules/answer-require.ts')
import restable = require('./index.ts')

answering.answerRequire(module)

export = restable
