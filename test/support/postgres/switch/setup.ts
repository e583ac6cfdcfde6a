import { relative } from 'node:path'
import { afterAll, beforeEach } from 'vitest'
import { hasPostgres } from '../cluster.ts'
import { NOT_ON_POSTGRES } from './not-on-postgres.ts'
import { closeAll } from './switched-engine.ts'

const TESTS = new URL('../../../', import.meta.url).pathname

beforeEach(({ task, skip }) => {
  skip(!hasPostgres, 'no PostgreSQL on this machine')
  const names: string[] = []
  for (let at: { name: string; suite?: typeof at } | undefined = task; at; at = at.suite)
    names.unshift(at.name)
  const [file, name] = [relative(TESTS, task.file.filepath), names.join(' > ')]
  const reason = NOT_ON_POSTGRES.find(
    ([where, what]) => file.startsWith(where) && name.includes(what ?? ''),
  )?.[2]
  skip(reason !== undefined, reason)
})
afterAll(closeAll)
