import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

const project = fileURLToPath(new URL('../../../', import.meta.url))

/** Secrets in the configuration of the tests, which must not appear in any response. */
export const SECRETS = {
  jwt: 'the-secret-that-signs',
  key: 'known-only-to-clients-01',
  bearer: 'the-literal-of-the-bearer-layer',
  password: 'correct-horse-battery',
} as const

const FORBIDDEN: readonly (readonly [string, RegExp | string])[] = [
  ['a stack', /^\s+at .+:\d+:\d+\)?$/m],
  ['a stack within JSON', /\\n\s+at /],
  ['a path of the program', project],
  ['a path of the data', `${tmpdir()}/`],
  ['a path of a package', 'node_modules'],
  ['the name of the framework', /x-powered-by/i],
  ...Object.values(SECRETS).map((secret) => ['a secret', secret] as const),
]

/** Fails if a response reveals anything confidential. */
export function expectDiscreet(answer: string): void {
  const found = FORBIDDEN.filter(([, what]) =>
    typeof what === 'string' ? answer.includes(what) : what.test(answer),
  )
  expect(found, answer.slice(0, 2000)).toEqual([])
}
