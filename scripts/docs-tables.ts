import { readFileSync, writeFileSync } from 'node:fs'
import { withTables } from './tables/with-tables.ts'

// `npm run tables` writes what the catalogue says into the docs; a test fails when they no longer match.
const PAGE = new URL('../docs/configuration.md', import.meta.url)
writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8')))
