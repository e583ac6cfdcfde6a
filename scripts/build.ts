import { buildDashboard } from './build/build-dashboard.ts'
import { bundleCli } from './build/bundle-cli.ts'
import { writeOldPaths } from './build/write-old-paths.ts'

/** What the compiler leaves to do: the command in a few files, the page at `/`, and json-server's old paths. */
await Promise.all([bundleCli(), buildDashboard(), writeOldPaths()])
