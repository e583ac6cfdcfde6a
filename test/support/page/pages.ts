import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Part, parseMarkdown } from '../docs/markdown.ts'

/** A page that users read. */
export interface Page {
  /** From the root: `docs/queries.md` */
  readonly path: string
  readonly text: string
  readonly parts: readonly Part[]
}

/** The README, and everything in docs/. */
export const pages: readonly Page[] = [
  'README.md',
  ...readdirSync('docs').map((file) => join('docs', file)),
].map(readPage)

export function readPage(path: string): Page {
  const text = readFileSync(path, 'utf8')
  return { path, text, parts: parseMarkdown(text) }
}

export function pageAt(path: string): Page {
  const page = pages.find((one) => one.path === path)
  if (page === undefined) throw new Error(`There is no page ${path}`)
  return page
}

/** The rows of a page's tables that have such a column. */
export function rowsWith(column: string, { parts }: Page): readonly (readonly string[])[] {
  return parts.flatMap((part) => (part.kind === 'row' && part.head.includes(column) ? [part.cells] : []))
}

export function headingsOf({ parts }: Page): readonly string[] {
  return parts.flatMap((part) => (part.kind === 'heading' ? [part.text] : []))
}

/** Where the links and pictures of a page lead. */
export function linksOf({ text }: Page): readonly string[] {
  const prose = text.replace(/^```.*?^```/gms, '')
  return [...prose.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target)
}
