import type { Typed } from '../page/page-script.ts'

/** Whether a command printed what the page shows. `…` stands for anything, and times, ids and ports differ. */
export function isAsShown(step: Typed, printed: string): boolean {
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
    .replace(/"version": \d{13}/g, '"version": 0')
    .replace(/^id: \d{13}$/gm, 'id: 0')
    .replace(/db-\d{13}(-\d+)?/g, 'db-0')
}
