import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { join } from 'node:path'
import { clusterFolder } from '../postgres/cluster.ts'
import { findPrograms } from '../postgres/run-cluster.ts'

/** The database of a page: `postgres://mock:secret@localhost/mock`, with or without parameters. */
const ADDRESS = /(postgres:\/\/\w+:secret@localhost\/mock)(\?)?/g

/** Whether a page needs a database, and can only be followed where there is PostgreSQL. */
export function needsDatabase(page: string): boolean {
  return page.search(ADDRESS) >= 0
}

/** A text with the database that it names in the cluster of this run. */
export async function withDatabase(text: string): Promise<string> {
  if (!needsDatabase(text)) return text
  const folder = await clusterFolder()
  return text.replace(ADDRESS, (_, address: string, more = '') => `${address}?host=${folder}${more && '&'}`)
}

/** Whether a command is one of PostgreSQL's own. */
export function isOfDatabase(command: string): boolean {
  return /^(?:sudo -u postgres )?(?:psql|createdb|pg_dump) /.test(command)
}

/** Types such a command into a shell, as the user that the page says. */
export async function runOfDatabase(command: string, cwd: string): Promise<ChildProcessWithoutNullStreams> {
  const typed = await withDatabase(command.replace(/^sudo -u postgres /, ''))
  const [, name = ''] = /^(\w+) /.exec(typed) ?? []
  const program = join(findPrograms() ?? '', name)
  const env = { ...process.env, PGHOST: await clusterFolder(), PGUSER: 'postgres' }
  return spawn('bash', ['-c', `'${program}' ${typed.slice(name.length)}`], { cwd, env })
}
