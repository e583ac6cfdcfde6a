import { describe, it, vi } from 'vitest'
import { play } from '../support/oracle/contract.ts'
import { hasPostgres, SKIPPED } from '../support/postgres/cluster.ts'
import { cases } from './cases/index.ts'

vi.spyOn(console, 'error').mockReturnValue()
vi.spyOn(console, 'warn').mockReturnValue()

/** A program that takes the data itself, `router.db`, has none to take here. */
const isOverHttp = ({ setup }: { readonly setup?: { readonly program?: unknown } }) =>
  setup?.program === undefined

describe.skipIf(!hasPostgres)(`data kept in PostgreSQL${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  // Reads go by the same code as those of a file.
  for (const each of cases.filter(isOverHttp)) it(each.name, () => play(each, 'postgres'))
})
