#!/usr/bin/env node
import { run } from './cli/run.ts'

process.exitCode = await run(process.argv.slice(2))
// A middleware of the user's own may have left a timer or a socket open: that must not keep the process.
setTimeout(() => process.exit(), 500).unref()
