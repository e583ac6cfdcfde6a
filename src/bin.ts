#!/usr/bin/env node
import module from 'node:module'
import { keepCompiledCode } from './cli/compiled-code.ts'

const enableCompileCache: unknown = Reflect.get(module, 'enableCompileCache')
if (typeof enableCompileCache === 'function') enableCompileCache()
else keepCompiledCode()
void import('./cli/run.ts').then(async ({ run }) => {
  process.exitCode = await run(process.argv.slice(2))
  // A user's middleware may have left a timer or socket open: that must not keep the process alive.
  setTimeout(() => process.exit(), 500).unref()
})
