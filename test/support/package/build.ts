import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const typescript = createRequire(import.meta.url).resolve('typescript/package.json')
const tsc = join(dirname(typescript), 'bin', 'tsc')

/** Tests that start real processes run the built program, so it must be up to date. */
export default function build(): void {
  run(tsc, '-p', 'tsconfig.build.json')
  run('--import', 'tsx', 'scripts/build.ts')
}

function run(...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The build failed:\n${stdout}${stderr}`)
}
