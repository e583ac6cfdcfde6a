import { buildDashboard } from './build/build-dashboard.ts'
import { bundleCli } from './build/bundle-cli.ts'

/** What the compiler leaves to do in `dist/`: the command in a few files, and the page at `/`. */
await Promise.all([bundleCli(), buildDashboard()])
