import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { drawSeed, repeatFailures, withoutLength } from './test/support/long-run.ts'

/** Starts processes, needs another program or a build, or takes long: `npm run test:all`, and not `npm test`. */
const SLOW = ['test/**/*.slow*.test.ts', 'test/{browser,ecosystem,guarantees}/**/*.test.ts']
/**
 * Has a process of its own: it mocks a module, replaces timers, needs a module that nobody has loaded before, measures time,
 * memory or threads closely, or takes much memory. All others share a few processes, which saves each a second.
 */
const APART = 'test/**/*.apart.test.ts'
const SLOW_APART = ['test/**/*.slow.apart.test.ts', 'test/{browser,ecosystem,guarantees}/**/*.apart.test.ts']
/** How long others wait: by hand (`npx vitest run --project measured`) and in `npm run test:long`, one at a time. */
const MEASURED = 'test/measured/**/*.test.ts'

export default defineConfig(({ mode }) => {
  const isLong = mode === 'long'
  if (isLong) drawSeed()
  const left = [...configDefaults.exclude, ...(isLong ? withoutLength() : [])]
  const common = {
    testTimeout: isLong ? 3_600_000 : 60_000,
    hookTimeout: 60_000,
    // Each project would compile the sources for itself, and each run again.
    experimental: { fsModuleCache: true },
  }
  const setUp = (...names: readonly string[]) => names.map((name) => `test/support/${name}.ts`)
  const quick = {
    globalSetup: setUp('page-is-built'),
    setupFiles: setUp('fixed-seed', ...(isLong ? [] : ['quick'])),
    // Some wait for disks and timers.
    maxWorkers: availableParallelism() + 1,
    sequence: { groupOrder: 0 },
  }
  const slow = {
    globalSetup: setUp('slow'),
    setupFiles: setUp('fixed-seed', 'end-processes'),
    // Many of them wait for others. As a percentage, vitest would take no more than there are cores.
    maxWorkers: availableParallelism() * 2,
    sequence: { groupOrder: 1 },
  }
  const shared = ({ setupFiles }: typeof slow) => ({
    isolate: false,
    setupFiles: [...setupFiles, ...setUp('leave-nothing')],
  })
  const all = ['test/**/*.test.ts']
  const projects = [
    { name: 'quick, apart', include: [APART], exclude: [...SLOW, MEASURED], ...quick },
    { name: 'quick, shared', include: all, exclude: [...SLOW, APART, MEASURED], ...quick, ...shared(quick) },
    { name: 'slow, apart', include: SLOW_APART, exclude: [], ...slow },
    { name: 'slow, shared', include: SLOW, exclude: [APART], ...slow, ...shared(slow) },
    {
      name: 'measured',
      include: [MEASURED],
      exclude: [],
      ...slow,
      maxWorkers: 1,
      sequence: { groupOrder: 2 },
    },
  ]
  return {
    test: {
      globalSetup: setUp('temp-folder'),
      ...(isLong && { reporters: ['default', repeatFailures] }),
      projects: projects.map((test) => ({
        mode,
        test: { ...common, ...test, exclude: [...left, ...test.exclude] },
      })),
    },
  }
})
