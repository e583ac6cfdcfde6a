#!/usr/bin/env node
import { run } from './cli/run.ts'

process.exitCode = await run(process.argv.slice(2))
// A user's middleware may have left a timer or socket open: that must not keep the process alive.
setTimeout(() => process.exit(), 500).unref()
