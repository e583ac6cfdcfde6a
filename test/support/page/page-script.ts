import { type Fence, type Part, parseMarkdown } from '../docs/markdown.ts'
import { CHROMIUM, CHROMIUM_FLAGS } from './browser.ts'

/** What a reader of a page does, step by step. */
export type Step =
  | { readonly kind: 'save'; readonly file: string; readonly text: string }
  | { readonly kind: 'start' | 'run'; readonly command: string }
  | Typed

/** A command for the second terminal, and its expected output. */
export type Typed =
  | { readonly kind: 'script'; readonly command: string; readonly shown?: Fence }
  | { readonly kind: 'request'; readonly command: string; readonly status: string; readonly code: string }

/** Commands that start a server, which then waits for requests. */
const START =
  /^(?:(?:npm install && )?npm start\b|npm run start:\w+|npx (?:restable(?! (?:types|openapi|import|export) )|json-server|vite)(?: |$)|node [\w-]+\.[cm]?js$)/
/** Commands that do their work and end. */
const RUN =
  /^(?:npm run generate\b|npm create vite@latest \S|npm install (?:--save-dev )?[@.\w]|npx vitest run$|npx playwright test$|npx tsc -b$|rm -r \S|npx restable (?:types|openapi|import|export) |node --test \S+$|(?:sudo -u postgres )?(?:psql|createdb|pg_dump) )/
/**
 * Commands on pages that the tests skip: they take minutes, run these tests, undo an install, or are of other test runners
 * (test/ecosystem/test-runners.test.ts).
 */
const LEFT_TO_READERS =
  /^(?:npm install && npm test|npm install pg|npm pack|npx playwright install chromium|cd helpdesk|npm uninstall \S+|npx jest|npx cypress run)$/

/** Cannot be tried on a machine without a browser. */
const NEEDS_BROWSER = /^npx playwright test$/
/** Readers have the browser that Playwright installs. */
const LAUNCH = { executablePath: CHROMIUM, args: CHROMIUM_FLAGS }

/** The steps of a page, in order. Throws for a command that the tests do not know how to try. */
export function stepsIn(markdown: string): readonly Step[] {
  const parts = parseMarkdown(markdown)
  return parts.flatMap((part, index) => {
    if (part.kind === 'row') return requestIn(part.head, part.cells)
    if (part.kind !== 'fence') return []
    if (part.file !== undefined)
      return { kind: 'save', file: part.file, text: withBrowser(part.file, part.text) }
    return part.language === 'sh' ? commandsIn(part, parts[index + 1]) : []
  })
}

function commandsIn(block: Fence, next: Part | undefined): readonly Step[] {
  if (/\bcurl /.test(block.text)) {
    const isAnswer = next?.kind === 'fence' && next.language !== 'sh' && next.line <= block.end + 2
    return [{ kind: 'script', command: block.text, ...(isAnswer && { shown: next }) }]
  }
  return block.text.split('\n').flatMap((line) => {
    const command = line.replace(/ +# .*$/, '')
    if (LEFT_TO_READERS.test(command) || (CHROMIUM === undefined && NEEDS_BROWSER.test(command))) return []
    if (START.test(command)) return { kind: 'start', command }
    if (RUN.test(command)) return { kind: 'run', command }
    throw new Error(`Line ${block.line}: nobody has decided how to try "${command}"`)
  })
}

function withBrowser(file: string, text: string): string {
  if (!file.startsWith('playwright.config')) return text
  return text.replace('use: {', `use: { launchOptions: ${JSON.stringify(LAUNCH)},`)
}

/** A row with a column "Request" that holds a curl command. */
function requestIn(head: readonly string[], cells: readonly string[]): readonly Step[] {
  const cell = (name: string): string => cells[head.indexOf(name)] ?? ''
  const command = /^`(curl [^`]+)`/.exec(cell('Request'))?.[1]
  if (command === undefined) return []
  return [{ kind: 'request', command, status: cell('Status'), code: cell('`code`').replaceAll('`', '') }]
}
