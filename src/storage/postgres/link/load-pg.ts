import type pg from 'pg'
import { ConfigError } from '../../../errors.ts'

/** The driver. Loaded only where a source is a database: nobody else needs to have it. */
export async function loadPg(): Promise<typeof pg> {
  try {
    return (await import('pg')).default
  } catch (cause) {
    throw new ConfigError('source: PostgreSQL needs the package pg. Run npm install pg.', { cause })
  }
}
