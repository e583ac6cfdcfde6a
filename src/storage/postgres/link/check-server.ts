import { ConfigError } from '../../../errors.ts'

/** The oldest PostgreSQL that is known to work. */
const OLDEST = 13

export function checkServer(version: unknown, encoding: unknown): void {
  if (Number.parseInt(String(version), 10) < OLDEST) {
    throw new ConfigError(
      `source: the database is PostgreSQL ${version}. Use version ${OLDEST} or a newer one.`,
    )
  }
  if (encoding !== undefined && encoding !== 'UTF8') {
    throw new ConfigError(
      `source: the database has the encoding ${encoding}. Use one that is created with ENCODING 'UTF8'.`,
    )
  }
}
