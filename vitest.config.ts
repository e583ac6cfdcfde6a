import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * These measure how long others wait for a server, and nothing else may run at the same time: except one more of them, where
 * Linux tells how long a server waited for a core, which is not counted.
 */
const IN_PAIRS = ['test/hostile/waits/*.test.ts']
const PAIR = existsSync('/proc/self/schedstat') && availableParallelism() > 1 ? 2 : 1

/** These measure time by the clock, or take all that the machine has: beside them, nothing may run at all. */
const ALONE = ['test/load/*.test.ts', 'test/hostile/{logins,others-wait,sign-ups,slow-clients}.test.ts']

/**
 * These have a process of their own: they mock a module, replace timers, need a module that nobody has loaded before them,
 * measure time or memory closely, or take much memory. All others share a few processes, which saves each a second.
 */
const APART = [
  'test/app/server/express-4.test.ts',
  'test/app/server/certificate.test.ts',
  'test/contract/both-stores.test.ts',
  'test/ecosystem/{auth-providers,broken-connections,form-errors}.test.ts',
  'test/hostile/unread-bodies.test.ts',
  'test/json/limits.test.ts',
  'test/layers/{delay,jwt,rate-limit}.test.ts',
  'test/layers/accounts/bcrypt.test.ts',
  'test/router/large-answers.test.ts',
  'test/router/response/{response-cache,cache-hits}.test.ts',
  'test/storage/{engine/fork-cost,relations/word-forms}.test.ts',
]

/** These take longest, in this order. Started first in their group, none of them is left to run by itself at the end. */
const LONGEST = [
  'browser/page',
  'docs',
  'hostile/unread-bodies',
  'cli/run',
  'router/large-answers',
  'scripts/bench',
  'ecosystem/middleware-packages',
  'browser/questions',
  'ecosystem/openapi',
  'contract/postgres',
  'storage/postgres/store',
  'storage/postgres/faults',
  'node-versions',
  'browser/accounts',
  'browser/session',
  'contract/reads',
  'ecosystem/auth-providers',
  'ecosystem/broken-connections',
  'app/access/matrix',
  'app/modules/good-neighbour',
  'router/answer/cache-hits',
  'faults/kill',
  'app/watch',
  'package',
  'ecosystem/proxies',
  // Of those that run in pairs:
  'hostile/waits/busy-rows',
  'hostile/waits/busy-bodies',
  'hostile/waits/large-answers',
  'hostile/waits/patches',
  'hostile/waits/busy-schema',
  'hostile/waits/busy-files',
  'hostile/waits/patterns',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      // A process is shared by files that come one after another.
      const group = project.config.isolate ? 0 : LONGEST.length + 1
      return group + (at >= 0 ? at : LONGEST.length)
    }
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => place(a) - place(b))
  }
}

const TIMES = { testTimeout: 60_000, hookTimeout: 60_000 }
/** Many tests wait for others. As a percentage, vitest would take no more than there are cores. */
const WORKERS = Math.ceil(availableParallelism() * 1.5)
const SIDE_BY_SIDE = { ...TIMES, maxWorkers: WORKERS, sequence: { groupOrder: 0 } }

const PROJECTS = [
  {
    test: {
      ...SIDE_BY_SIDE,
      name: 'sharing',
      include: ['test/**/*.test.ts'],
      exclude: [...configDefaults.exclude, ...IN_PAIRS, ...ALONE, ...APART],
      isolate: false,
      setupFiles: ['test/support/leave-nothing.ts'],
    },
  },
  { test: { ...SIDE_BY_SIDE, name: 'apart', include: APART } },
  {
    test: {
      ...TIMES,
      name: 'in pairs',
      include: IN_PAIRS,
      maxWorkers: PAIR,
      isolate: false,
      setupFiles: ['test/support/leave-nothing.ts'],
      sequence: { groupOrder: 1 },
    },
  },
  { test: { ...TIMES, name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 2 } } },
]

export default defineConfig({
  test: {
    globalSetup: [
      // First: another user must be able to enter its folder.
      'test/support/postgres/setup.ts',
      'test/support/temp-folder.ts',
      'test/support/package/build.ts',
    ],
    sequence: { sequencer: LongestFirst },
    projects: PROJECTS,
  },
})
