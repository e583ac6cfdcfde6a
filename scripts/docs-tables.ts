import { mkdirSync, writeFileSync } from 'node:fs'
import { writtenFiles } from './tables/written-files.ts'

for (const [path, text] of Object.entries(writtenFiles())) {
  const file = new URL(`../${path}`, import.meta.url)
  mkdirSync(new URL('.', file), { recursive: true })
  writeFileSync(file, text)
}
