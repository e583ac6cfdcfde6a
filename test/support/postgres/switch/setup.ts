import { relative } from 'node:path'
import { afterAll, afterEach, beforeEach } from 'vitest'
import { hasPostgres } from '../cluster.ts'
import { NOT_IN_CI, NOT_ON_POSTGRES } from './not-on-postgres.ts'
import { beginTest, closeAll, endTest, isEverythingRun } from './switched-engine.ts'

const SKIPPED = isEverythingRun ? NOT_ON_POSTGRES : [...NOT_ON_POSTGRES, ...NOT_IN_CI]
const TESTS = new URL('../../../', import.meta.url).pathname

beforeEach(({ task, skip }) => {
  skip(!hasPostgres, 'no PostgreSQL on this machine')
  const names: string[] = []
  for (let at: { name: string; suite?: typeof at } | undefined = task; at; at = at.suite)
    names.unshift(at.name)
  const [file, name] = [relative(TESTS, task.file.filepath), names.join(' > ')]
  const reason = SKIPPED.find(([where, what]) => file.startsWith(where) && name.includes(what ?? ''))?.[2]
  skip(reason !== undefined, reason)
  beginTest(task.id)
})
afterEach(({ task }) => endTest(task.id))
afterAll(closeAll)
