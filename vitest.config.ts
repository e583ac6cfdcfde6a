import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { onPostgres } from './test/support/postgres/switch/plugin.ts'

/** These measure how long others wait, or load the machine on purpose, so nothing else may run at the same time. */
const ALONE = [
  'test/load/*.test.ts',
  'test/hostile/{busy*,large-answers,leaks,logins,patches,patterns,sign-ups,slow-clients}.test.ts',
  'test/faults/{clock,edit-storm,mounted,odd-files,watch-storm}.test.ts',
]

/**
 * One process runs many of these, which saves half a second per file. They leave nothing behind that another file could
 * see, mock no module, and measure neither time nor memory.
 */
const SHARING = [
  'test/{dashboard,endpoints,json,resources,schema}/**/!(formats|health-check|limits|messages).test.ts',
  'test/layers/**/!(body-parser|connections|delay|jwt|logger|password-check|pause|rate-limit|requested|rewriter|rules|secrets).test.ts',
  'test/router/!(large-answers).test.ts',
  'test/router/{explain,query,write}/**/!(query-string).test.ts',
  'test/{clock,http}/*.test.ts',
  'test/app/{access,accounts,config,remarks,sessions,source}/!(leaks|login-costs).test.ts',
  'test/contract/!(both-engines|postgres).test.ts',
  'test/storage/{draft,file,fork,history,index,json,local,plan,query,relations,rules,view}/**/!(effects-cost|like|search|select-by-pattern).test.ts',
]

/** What CI also runs with the data in PostgreSQL: some of each kind. With `RESTABLE_ENGINE=postgres` everything is run there. */
const ON_POSTGRES = [
  'test/router/{fields,nested-items,precondition,queries}.test.ts',
  'test/router/write/{filtered,place-header,upsert}.test.ts',
  'test/app/resources.test.ts',
  'test/app/access/owners.test.ts',
]
const isSwitched = process.env.RESTABLE_ENGINE === 'postgres'

/** These take longest, in this order. Started first, none of them is left to run by itself at the end. */
const LONGEST = [
  'browser/page',
  'docs',
  'ecosystem/proxies',
  'hostile/unread-bodies',
  'ecosystem/middleware-packages',
  'browser/questions',
  'router/large-answers',
  'node-versions',
  'scripts/bench',
  'cli/run',
  'package',
  'ecosystem/openapi',
  'contract/reads',
  'ecosystem/old-project',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      if (at >= 0) return at
      return LONGEST.length + (project.config.isolate ? 0 : 1)
    }
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => place(a) - place(b))
  }
}

const TIMES = { testTimeout: 60_000, hookTimeout: 60_000 }
const SIDE_BY_SIDE = { ...TIMES, maxWorkers: '150%', sequence: { groupOrder: 0 } }

const PROJECTS = [
  {
    test: {
      ...SIDE_BY_SIDE,
      name: 'side by side',
      include: ['test/**/*.test.ts'],
      exclude: [...configDefaults.exclude, ...ALONE, ...SHARING],
    },
  },
  { test: { ...SIDE_BY_SIDE, name: 'sharing', include: SHARING, isolate: false } },
  { test: { ...TIMES, name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 } } },
]

const SWITCHED = {
  plugins: [onPostgres()],
  test: {
    ...SIDE_BY_SIDE,
    name: 'on PostgreSQL',
    include: isSwitched ? ['test/**/*.test.ts'] : ON_POSTGRES,
    setupFiles: ['test/support/postgres/switch/setup.ts'],
    isolate: isSwitched,
  },
}

export default defineConfig({
  test: {
    globalSetup: [
      // First: another user must be able to enter its folder.
      'test/support/postgres/setup.ts',
      'test/support/temp-folder.ts',
      'test/support/package/build.ts',
    ],
    sequence: { sequencer: LongestFirst },
    projects: isSwitched ? [SWITCHED] : [...PROJECTS, SWITCHED],
  },
})
