import { buildDashboard } from './build/build-dashboard.ts'
import { bundle } from './build/bundle.ts'
import { bundleTypes } from './build/bundle-types.ts'
import { writeConfigSchema } from './build/config-json-schema.ts'
import { writeRequired } from './build/write-required.ts'

/** Everything besides compiling: bundle program and types, build the page at `/`, write the JSON Schema of the config file. */
await Promise.all([bundle(), bundleTypes(), buildDashboard(), writeConfigSchema()])
await writeRequired()
