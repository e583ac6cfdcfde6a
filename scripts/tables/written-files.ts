import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { exampleFiles } from './example-files.ts'
import { agentsText, llmsText } from './for-agents.ts'
import { withLayers, withTables } from './with-tables.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CONFIGURATION = 'docs/configuration.md'
const LAYERS = 'docs/layers.md'

/** What `npm run tables` writes from the catalogue and the docs, by file; a test fails when one no longer matches. */
export function writtenFiles(): Readonly<Record<string, string>> {
  const { description }: { description: string } = JSON.parse(read('package.json'))
  const pages = ['README.md', ...readdirSync(`${ROOT}docs`).map((name) => `docs/${name}`)]
    .filter((path) => path.endsWith('.md'))
    .map((path) => ({ path, text: read(path) }))
  return {
    [CONFIGURATION]: withTables(read(CONFIGURATION)),
    [LAYERS]: withLayers(read(LAYERS)),
    'llms.txt': llmsText(description, pages),
    'AGENTS.md': agentsText(read('CONTRIBUTING.md')),
    ...exampleFiles(read),
  }
}

function read(path: string): string {
  return readFileSync(`${ROOT}${path}`, 'utf8')
}
