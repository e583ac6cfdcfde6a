import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')

/** Tests that start real processes run the built program, so it has to be today's. */
export default function build(): void {
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The build failed:\n${stdout}`)
}
