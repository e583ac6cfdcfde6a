import { readdirSync, readFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** Random numbers begin with this, in all processes of the run. */
export function drawSeed(): void {
  process.env.FUZZ_SEED ||= String(Math.floor(Math.random() * 1e9))
  console.log(`FUZZ_SEED=${process.env.FUZZ_SEED}`)
}

/** Says how to repeat what failed with random numbers. */
export const repeatFailures: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    for (const { relativeModuleId } of modules.filter((module) => !module.ok()))
      console.log(`Repeat it: FUZZ_SEED=${process.env.FUZZ_SEED} npm run test:long -- ${relativeModuleId}`)
  },
}

/** Tests that do not take longer where there is time. Others have random data, or break things. */
export function withoutLength(): string[] {
  const names = readdirSync('test', { recursive: true, encoding: 'utf8' }).map((name) => `test/${name}`)
  const tests = names.filter((name) => name.endsWith('.test.ts') && !name.startsWith('test/measured/'))
  return tests.filter((name) => !/\b(?:runs|asLong)\(/.test(readFileSync(name, 'utf8')))
}
