import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { buildPage } from './build-page.ts'
import { bundle } from './bundle.ts'
import { bundleTypes } from './bundle-types.ts'
import { writeConfigSchema } from './config-json-schema.ts'
import { writeRequired } from './write-required.ts'

/** Compiles, bundles program and types, builds the page at `/`, and writes the JSON Schema of the config file. */
export async function buildAll(): Promise<void> {
  compile()
  await Promise.all([bundle(), bundleTypes(), buildPage(), writeConfigSchema()])
  await writeRequired()
}

function compile(): void {
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
  const tsc = join(typescript, 'bin', 'tsc')
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
