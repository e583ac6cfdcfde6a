import { objectOf } from '../contents.ts'
import type { Operations, PathItem, Wanted } from '../operations.ts'

export function snapshotPaths(operations: Operations, tag: string): [string, PathItem][] {
  const make = (wanted: Omit<Wanted, 'tag'>) => operations.make({ ...wanted, tag })
  const list = { path: '/__snapshots__' }
  const one = { path: '/__snapshots__/{id}', parameters: [SNAPSHOT_ID] }
  const all = { schema: { type: 'array', items: SNAPSHOT } }
  const listed = { ...list, deed: 'oversee', id: 'listSnapshots', answer: all } as const
  const found = { ...one, deed: 'getSnapshot', id: 'getSnapshot', answer: { schema: SNAPSHOT } } as const
  const saved = { ...list, deed: 'saveSnapshot', id: 'saveSnapshot' } as const
  const restored = { ...one, deed: 'restoreSnapshot', id: 'restoreSnapshot' } as const
  const deleted = { ...one, deed: 'deleteSnapshot', id: 'deleteSnapshot' } as const
  return [
    [
      list.path,
      {
        get: make({ ...listed, summary: 'All snapshots, newest first' }),
        ...operations.writes(() => ({
          post: make({ ...saved, summary: 'Save a snapshot', answer: { schema: SNAPSHOT, status: 201 } }),
        })),
      },
    ],
    [
      one.path,
      {
        get: make({ ...found, summary: 'Get a snapshot' }),
        ...operations.writes(() => ({
          put: make({ ...restored, summary: 'Restore a snapshot', answer: { schema: RESTORED } }),
          delete: make({ ...deleted, summary: 'Delete a snapshot', answer: { schema: { type: 'object' } } }),
        })),
      },
    ],
  ]
}

const TEXT = { type: 'string' }

const SNAPSHOT_ID = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { ...TEXT, examples: ['db-1700000000000'] },
}

const SNAPSHOT = objectOf({ id: TEXT, file: TEXT, createdAt: { ...TEXT, format: 'date-time' } })

const RESTORED = objectOf({
  id: TEXT,
  restored: { const: true },
  counts: { type: 'object', additionalProperties: { type: 'integer' } },
})
