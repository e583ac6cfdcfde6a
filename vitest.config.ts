import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from 'vitest/node'

/** What starts processes, needs another program or a build, or takes long: `npm run test:all`, and not `npm test`. */
const SLOW = ['test/**/*.slow.test.ts', 'test/{browser,ecosystem,faults,hostile,load}/**/*.test.ts']

/**
 * These measure how long others wait for a server, and nothing else may run at the same time: except two more of them, where
 * Linux tells how long a server waited for a core, which is not counted. Each leaves a core idle half of the time.
 */
const MEASURED = [
  'test/measured/waits/*.test.ts',
  ...files('hostile/logins hostile/sign-ups hostile/slow-clients'),
]
const TOGETHER = existsSync('/proc/self/schedstat') && availableParallelism() > 1 ? 3 : 1

/** These take all that the machine has, or look at what that does: beside them, nothing may run at all. */
const ALONE = ['test/measured/*.test.ts', ...files('hostile/others-wait')]

/**
 * These have a process of their own: they mock a module, replace timers, need a module that nobody has loaded before them,
 * measure time, memory or threads closely, or take much memory. All others share a few processes, which saves each a second.
 */
const APART = files(
  'app/server/express-4 app/server/certificate json/limits layers/delay layers/jwt',
  'layers/rate-limit layers/accounts/passwords router/response/response-cache',
  'router/response/cache-hits storage/engine/fork-cost storage/query/select-by-pattern storage/relations/word-forms',
)
const SLOW_APART = files(
  'contract/both-stores.slow ecosystem/auth-providers ecosystem/broken-connections ecosystem/form-errors',
  'hostile/unread-bodies router/large-answers.slow',
)

/** The slow ones that take longest, in this order. Started first, none of them is left to run by itself at the end. */
const LONGEST = files(
  'package.slow browser/page docs.slow hostile/unread-bodies faults/mounted ecosystem/middleware-packages',
  'ecosystem/test-runners ecosystem/openapi app/accounts/matrix.slow cli/run.slow browser/edits browser/api',
  'app/accounts/own-row.slow browser/questions app/watch.slow browser/keys faults/kill faults/edit-storm',
  'browser/accounts storage/postgres/faults.slow faults/postgres cli/transfer.slow browser/trouble browser/table',
  'ecosystem/auth-providers ecosystem/broken-connections node-versions.slow storage/postgres/store.slow',
  // Of those that measure:
  'hostile/waits/busy-rows hostile/waits/busy-bodies hostile/waits/large-answers hostile/waits/patches',
  'hostile/waits/busy-files hostile/waits/busy hostile/waits/busy-schema hostile/waits/busy-history hostile/sign-ups',
)

/** Paths of tests by their names. Throws if one was moved. */
function files(...names: readonly string[]): string[] {
  const paths = names.flatMap((some) => some.split(' ')).map((name) => `test/${name}.test.ts`)
  const lost = paths.filter((path) => !existsSync(path))
  if (lost.length > 0) throw new Error(`vitest.config.ts names files that are not there: ${lost.join(', ')}`)
  return paths
}

class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const at = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`))
      // A process is shared by files that come one after another.
      const group = project.config.isolate ? 0 : LONGEST.length + 1
      return group + (at >= 0 ? at : LONGEST.length)
    }
    const sorted = await super.sort(specifications)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}

/** Says how to repeat what failed with random numbers. */
const repeatFailures: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const failed = modules.filter((module) => !module.ok())
    for (const { relativeModuleId } of failed) {
      console.log(`Repeat it: FUZZ_SEED=${process.env.FUZZ_SEED} npm run test:long -- ${relativeModuleId}`)
    }
  },
}

/** Tests that do not take longer where there is time. Others have random data, or break things. */
function withoutLength(): string[] {
  const names = readdirSync('test', { recursive: true, encoding: 'utf8' }).map((name) => `test/${name}`)
  const tests = names.filter((name) => name.endsWith('.test.ts'))
  return tests.filter((name) => !/\b(?:runs|asLong)\(/.test(readFileSync(name, 'utf8')))
}

export default defineConfig(({ mode }) => {
  const isLong = mode === 'long'
  if (isLong) {
    process.env.FUZZ_SEED ||= String(Math.floor(Math.random() * 1e9))
    console.log(`FUZZ_SEED=${process.env.FUZZ_SEED}`)
  }
  const common = {
    testTimeout: isLong ? 3_600_000 : 60_000,
    hookTimeout: 60_000,
    // Each project would compile the sources for itself, and each run again.
    experimental: { fsModuleCache: true },
  }
  const exclude = [...configDefaults.exclude, ...(isLong ? withoutLength() : [])]
  const shared = {
    isolate: false,
    setupFiles: ['test/support/fixed-seed.ts', 'test/support/leave-nothing.ts'],
  }
  const apart = { setupFiles: ['test/support/fixed-seed.ts'] }
  const quick = {
    ...common,
    globalSetup: ['test/support/page-is-built.ts'],
    // Some wait for disks and timers.
    maxWorkers: availableParallelism() + 1,
    sequence: { groupOrder: 0 },
  }
  const checked = ({ setupFiles }: typeof apart) =>
    isLong ? setupFiles : [...setupFiles, 'test/support/quick.ts']
  const slow = {
    ...common,
    globalSetup: ['test/support/slow.ts'],
    // Many of them wait for others. As a percentage, vitest would take no more than there are cores.
    maxWorkers: availableParallelism() * 2,
    sequence: { groupOrder: 1 },
  }
  const projects = [
    {
      ...{ name: 'quick', include: ['test/**/*.test.ts'], exclude: [...exclude, ...SLOW, ...APART] },
      ...{ ...quick, ...shared, setupFiles: checked(shared) },
    },
    { name: 'quick, apart', include: APART, exclude, ...quick, setupFiles: checked(apart) },
    {
      ...{ name: 'slow', include: SLOW, exclude: [...exclude, ...MEASURED, ...ALONE, ...SLOW_APART] },
      ...{ ...slow, ...shared },
    },
    { name: 'slow, apart', include: SLOW_APART, exclude, ...slow, ...apart },
    {
      ...{ name: 'slow, measured', include: MEASURED, exclude, ...slow, ...shared },
      ...{ maxWorkers: TOGETHER, sequence: { groupOrder: 2 } },
    },
    {
      ...{ name: 'slow, alone', include: ALONE, exclude, ...slow, ...apart },
      ...{ maxWorkers: 1, sequence: { groupOrder: 3 } },
    },
  ]
  return {
    test: {
      globalSetup: ['test/support/temp-folder.ts'],
      sequence: { sequencer: LongestFirst },
      ...(isLong && { reporters: ['default', repeatFailures] }),
      projects: projects.map((test) => ({ mode, test })),
    },
  }
})
