import type { Operations, PathItem } from '../operations.ts'

const TAG = 'server'

export function historyPaths(operations: Operations): [string, PathItem][] {
  const read = (deed: 'oversee' | 'follow', path: string, id: string, summary: string, schema: object) => {
    const parameters = (PARAMETERS[path] ?? []).map((name) => ({ name, in: 'query', schema: VERSION }))
    const get = operations.make({ deed, path, id, tag: TAG, summary, parameters, answer: { schema } })
    return [path, { get }] satisfies [string, PathItem]
  }
  const rewind = (path: string, id: string, summary: string, body?: { readonly schema: object }) => {
    const wanted = { deed: 'rewind', path, id, tag: TAG, summary, answer: { schema: REWOUND } } as const
    return [path, { post: operations.make({ ...wanted, ...(body && { body }) }) }] satisfies [
      string,
      PathItem,
    ]
  }
  const goal = { schema: { type: 'object', properties: { to: VERSION } } }
  return [
    read('oversee', '/__history', 'getHistory', 'The last changes, newest first', LIST),
    read('follow', '/__changes', 'getChanges', 'The changes since a version', CHANGES),
    ...(operations.settings.readOnly
      ? []
      : [
          rewind('/__undo', 'undo', 'Take back the newest change, or all after a version', goal),
          rewind('/__redo', 'redo', 'Make again what was undone', goal),
          rewind('/__reset', 'reset', 'Put the data back to the beginning'),
        ]),
  ]
}

const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  '/__history': ['_limit', '_before'],
  '/__changes': ['since'],
}

const VERSION = { type: 'integer' }
const LIST = { type: 'array', items: { type: 'object', additionalProperties: true } }
const CHANGES = {
  type: 'object',
  properties: { version: VERSION, changes: LIST },
  required: ['version', 'changes'],
}
const REWOUND = { type: 'object', properties: { version: VERSION }, required: ['version'] }
