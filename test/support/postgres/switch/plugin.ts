import { resolve } from 'node:path'
import type { Plugin } from 'vite'

const HERE = import.meta.dirname
const SOURCES = resolve(HERE, '../../../../src')

/** The two places where data becomes an engine, and what stands there instead. */
const SWITCHED = new Map([
  [resolve(SOURCES, 'app/source/open-data.ts'), resolve(HERE, 'open-data.ts')],
  [resolve(SOURCES, 'router/open-engine.ts'), resolve(HERE, 'open-engine.ts')],
])

/** Serves whatever a test serves from a database. */
export function onPostgres(): Plugin {
  return {
    name: 'on-postgres',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!importer || importer.startsWith(HERE) || !source.startsWith('.')) return undefined
      const found = await this.resolve(source, importer, { ...options, skipSelf: true })
      return found && SWITCHED.get(found.id)
    },
  }
}
