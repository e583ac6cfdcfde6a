import { writeFileSync } from 'node:fs'
import { writtenFiles } from './tables/written-files.ts'

for (const [path, text] of Object.entries(writtenFiles())) {
  writeFileSync(new URL(`../${path}`, import.meta.url), text)
}
