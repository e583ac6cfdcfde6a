import { buildDashboard } from './build/build-dashboard.ts'
import { bundleCli } from './build/bundle-cli.ts'
import { writeOldPaths } from './build/write-old-paths.ts'
import { writeRequiredTypes } from './build/write-required-types.ts'

/**
 * Everything besides compiling: bundle the command, build the page at `/`, write json-server's old paths, and the types for
 * CommonJS.
 */
await Promise.all([bundleCli(), buildDashboard(), writeOldPaths(), writeRequiredTypes()])
