import { execFile } from 'node:child_process'
import { parseMarkdown } from './markdown.ts'

/** What a reader types into the second terminal, and what has to come back. */
export type Step =
  | { readonly kind: 'script'; readonly command: string; readonly shown?: Shown }
  | { readonly kind: 'request'; readonly command: string; readonly status: string; readonly code: string }

interface Shown {
  readonly language: string
  readonly text: string
}

/** A server that the reader is asked to start, and what to try on it. */
export interface Session {
  readonly heading: string
  /** `npm start -- -m api-key` */
  readonly start: string
  readonly steps: readonly Step[]
}

const START = /^(?:npm start|npm run start:\w+|node \S+\.mjs)(?: -- .*)?$/

/** The sessions of a document. Each chapter begins with a plain `npm start`, unless it says otherwise. */
export function sessionsIn(markdown: string): readonly Session[] {
  const sessions: (Session & { steps: Step[] })[] = []
  const parts = parseMarkdown(markdown)
  let heading = ''
  const begin = (start: string) => sessions.push({ heading, start, steps: [] })
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'heading') {
      heading = part.text
      if (part.level === 2) begin('npm start')
    } else if (part.kind === 'row') {
      const step = requestIn(part.head, part.cells)
      if (step) sessions.at(-1)?.steps.push(step)
    } else if (part.language === 'sh' && START.test(part.text)) {
      begin(part.text)
    } else if (part.language === 'sh' && part.text.includes('curl ')) {
      const next = parts[index + 1]
      const isAnswer = next?.kind === 'fence' && next.language !== 'sh' && next.line <= part.end + 2
      sessions.at(-1)?.steps.push({ kind: 'script', command: part.text, ...(isAnswer && { shown: next }) })
    }
  }
  return sessions.filter(({ steps }) => steps.length > 0)
}

/** A row with a column "Request" that holds a curl command. */
function requestIn(head: readonly string[], cells: readonly string[]): Step | undefined {
  const cell = (name: string): string => cells[head.indexOf(name)] ?? ''
  const command = /^`(curl [^`]+)`/.exec(cell('Request'))?.[1]
  if (command === undefined) return undefined
  return { kind: 'request', command, status: cell('Status'), code: cell('`code`').replaceAll('`', '') }
}

/** Types the steps into one shell, so that variables last, and returns what each printed. */
export function typeInto(cwd: string, port: number, steps: readonly Step[]): Promise<readonly string[]> {
  const commands = steps.map(({ kind, command }) => {
    const here = command.replaceAll('localhost:3000', `localhost:${port}`)
    return kind === 'script' ? here : here.replace(/^curl /, `curl -w '\\n%{http_code}' `)
  })
  const script = commands.join(`\nprintf '${END}'\n`)
  const env = { ...process.env, no_proxy: '*' }
  return new Promise((resolve, reject) => {
    execFile('bash', ['-c', script], { cwd, env }, (error, stdout) =>
      // A shell ends with the status of its last command; that it could not be run at all is what matters.
      error && typeof error.code !== 'number' ? reject(error) : resolve(stdout.split(END)),
    )
  })
}

const END = '\u001e'

/** Whether a step printed what the document shows. `…` stands for anything, and times, ids and ports differ. */
export function isAsShown(step: Step, printed: string): boolean {
  if (step.kind === 'request') {
    const [, body = '', status] = /^(.*)\n(\d+)$/s.exec(printed) ?? []
    const code = /"code": "(\w+)"/.exec(body)?.[1] ?? ''
    return step.status === status && step.code === code
  }
  if (step.shown === undefined) return true
  const actual = steady(printed).trim()
  const shown = steady(step.shown.text).trim()
  if (step.shown.language !== 'http') return like(shown).test(actual)
  const [head = '', body] = halves(shown)
  const [actualHead = '', actualBody = ''] = halves(actual)
  const [status, ...headers] = head.split('\n')
  const [actualStatus, ...actualHeaders] = actualHead.split('\n')
  const hasAll = headers.every((header) => actualHeaders.some((line) => like(header).test(line)))
  return status === actualStatus && hasAll && (body === undefined || like(body).test(actualBody))
}

function halves(answer: string): readonly string[] {
  const gap = answer.indexOf('\n\n')
  return gap === -1 ? [answer] : [answer.slice(0, gap), answer.slice(gap + 2)]
}

function like(shown: string): RegExp {
  const pieces = shown.split('…').map((piece) => piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${pieces.join('.*?')}$`, 's')
}

function steady(text: string): string {
  return text
    .replaceAll('\r', '')
    .replace(/localhost:\d+/g, 'localhost:3000')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/"uptime": [\d.]+/g, '"uptime": 0')
    .replace(/db-\d{13}(-\d+)?/g, 'db-0')
}
