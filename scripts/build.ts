import { buildDashboard } from './build/build-dashboard.ts'
import { bundleCli } from './build/bundle-cli.ts'
import { writeOldPaths } from './build/write-old-paths.ts'

/** Everything besides compiling: bundle the command, build the page at `/`, and write json-server's old paths. */
await Promise.all([bundleCli(), buildDashboard(), writeOldPaths()])
