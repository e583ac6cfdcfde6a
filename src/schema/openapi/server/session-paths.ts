import { objectOf } from '../contents.ts'
import type { Operations, PathItem, Wanted } from '../operations.ts'

export function sessionPaths(operations: Operations, tag: string): [string, PathItem][] {
  const make = (wanted: Omit<Wanted, 'tag'>) => operations.make({ ...wanted, tag })
  const answer = { schema: { type: 'object' } }
  const one = { path: '/__sessions/{name}', deed: 'endSession', id: 'endSession' } as const
  const reset = { path: '/__sessions/{name}/reset', deed: 'resetSession', id: 'resetSession' } as const
  const parameters = [NAME]
  const all = { schema: { type: 'array', items: SESSION } }
  const list = { path: '/__sessions', deed: 'oversee', id: 'listSessions', answer: all } as const
  const writes: [string, PathItem][] = [
    [one.path, { delete: make({ ...one, parameters, summary: 'End a session', answer }) }],
    [reset.path, { post: make({ ...reset, parameters, summary: 'Put its data back', answer }) }],
  ]
  return [
    [list.path, { get: make({ ...list, summary: 'All sessions, most recently used first' }) }],
    ...(operations.settings.readOnly ? [] : writes),
  ]
}

const TEXT = { type: 'string' }
const NAME = { name: 'name', in: 'path', required: true, schema: TEXT }

const SESSION = objectOf({
  name: TEXT,
  createdAt: { ...TEXT, format: 'date-time' },
  idleMs: { type: 'integer' },
  bytes: { type: 'integer' },
})
