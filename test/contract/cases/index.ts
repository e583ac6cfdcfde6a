import { bodyCases } from './bodies.ts'
import { filters } from './filters.ts'
import { protocol } from './http.ts'
import { windows } from './pages.ts'
import { placeTables } from './places.ts'
import { programs } from './programs.ts'
import { queriesChanged } from './queries-changed.ts'
import { relations } from './relations.ts'
import { reported } from './reported.ts'
import { rewrites } from './rewrites.ts'
import type { ContractCase, Readings } from './table.ts'
import { changes } from './writes.ts'
import { changedWrites } from './writes-changed.ts'

/** Every table of requests that change nothing, besides the operators. */
export const readings: readonly Readings[] = [
  ...filters,
  ...windows,
  ...placeTables,
  ...relations,
  ...queriesChanged,
  ...protocol,
  ...rewrites,
]

/** Every case that plays on data of its own. */
export const cases: readonly ContractCase[] = [
  ...bodyCases,
  ...changes,
  ...changedWrites,
  ...reported,
  ...programs,
]
