import { writeFileSync } from 'node:fs'
import { configJsonSchema } from '../src/app/config/config-json-schema.ts'

// `npm run schema` writes the schema for editors; a test fails when it no longer matches what the program accepts.
const file = new URL('../src/config.schema.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(configJsonSchema(), null, 2)}\n`)
