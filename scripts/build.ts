import { buildDashboard } from './build/build-dashboard.ts'
import { bundleCli } from './build/bundle-cli.ts'
import { writeConfigSchema } from './build/config-json-schema.ts'
import { writeOldPaths } from './build/write-old-paths.ts'
import { writeRequiredTypes } from './build/write-required-types.ts'

/**
 * Everything besides compiling: bundle the command, build the page at `/`, write json-server's old paths, the types for
 * CommonJS, and the JSON Schema of the config file.
 */
await Promise.all([bundleCli(), buildDashboard(), writeOldPaths(), writeRequiredTypes(), writeConfigSchema()])
