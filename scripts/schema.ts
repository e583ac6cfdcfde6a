import { writeFileSync } from 'node:fs'
import { configJsonSchema } from '../src/app/config/config-json-schema.ts'

// `npm run schema` writes what editors read; a test fails when it no longer says what the program accepts.
const file = new URL('../src/config.schema.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(configJsonSchema(), null, 2)}\n`)
