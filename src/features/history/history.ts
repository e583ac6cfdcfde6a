import type { Request, Response } from 'express'
import type { Commit, CommitMeta } from '../../core/engine/data/store.ts'
import type { Engine } from '../../core/engine/engine.ts'
import type { Access } from '../../core/engine/rules/rights.ts'
import { TrackedRead } from '../../core/engine/tracked-read.ts'
import { endpoints, INTEGER, listOf, OPEN, objectOf } from '../../core/kernel/catalogue/endpoint.ts'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { sendJson } from '../../core/kernel/http/send-json.ts'
import { collectPieces, prettyJson } from '../../core/kernel/json/pretty-json.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { endpointFeature } from '../endpoint-feature.ts'
import { sendPieces } from '../send-pieces.ts'
import type { HandlersOf } from '../serve-endpoints.ts'
import { wholeIn } from '../whole-in.ts'
import { readableCommit, showChanges, showCommit } from './show-commit.ts'

interface HistoryOptions {
  readonly engine: Engine
  readonly reset: (meta: CommitMeta) => Promise<void>
  /** Describes the request in the history, without secrets. */
  readonly metaOf: (req: Request) => CommitMeta
  readonly accessOf?: ((req: Request) => Access) | undefined
}

const USUAL = 50

const CHANGES = objectOf({ version: INTEGER, changes: listOf(OPEN) })
const REWOUND = objectOf({ version: INTEGER })
const GOAL = { type: 'object', properties: { to: INTEGER } }
const rewinds = { gives: REWOUND, body: GOAL, isBodyOptional: true } as const
const FAILURES = ['UNDO_CONFLICT', 'HISTORY_GONE', 'WRITE_FAILED'] as const

const HISTORY_ENDPOINTS = endpoints(
  { kind: 'manage', isFor: 'admins' },
  {
    getHistory: [
      'GET /__history',
      'The last changes, newest first',
      {
        kind: 'about',
        takes: { _limit: INTEGER, _before: INTEGER },
        gives: listOf(OPEN),
        errors: ['INVALID_QUERY'],
      },
    ],
    getChanges: [
      'GET /__changes',
      'The changes since a version',
      {
        kind: 'about',
        takes: { since: INTEGER },
        gives: CHANGES,
        errors: ['INVALID_QUERY', 'HISTORY_GONE'],
      },
    ],
    undo: [
      'POST /__undo',
      'Take back the newest change, or all after a version',
      { ...rewinds, errors: ['NOTHING_TO_UNDO', ...FAILURES] },
    ],
    redo: [
      'POST /__redo',
      'Make again what was undone',
      { ...rewinds, errors: ['NOTHING_TO_REDO', ...FAILURES] },
    ],
    reset: [
      'POST /__reset',
      'Put the data back to the beginning',
      { gives: REWOUND, isFor: 'admins of the base', errors: ['INVALID_DATA', 'WRITE_FAILED'] },
    ],
  },
)

export const historyFeature = endpointFeature({
  name: 'history',
  endpoints: HISTORY_ENDPOINTS,
  handlers: ({ world, accessOf, causeOf }) =>
    history({
      engine: world.engine,
      reset: (meta) => world.reset(meta),
      accessOf,
      metaOf: (req) => causeOf(req).meta,
    }),
})

function history(options: HistoryOptions): HandlersOf<typeof HISTORY_ENDPOINTS> {
  const { engine, metaOf, accessOf } = options
  const send = async (res: Response, body: unknown) => sendPieces(res, await collectPieces(prettyJson(body)))
  const readable = async (req: Request, commits: readonly Commit[], most = Number.POSITIVE_INFINITY) => {
    const access = accessOf?.(req)
    if (!access) return commits.slice(0, most)
    const data = new TrackedRead(engine)
    const all: Commit[] = []
    for (const each of commits) {
      if (all.length >= most) break
      const one = await readableCommit(data, each, access)
      if (one) all.push(one)
    }
    return all
  }

  const getHistory = async (req: Request, res: Response) => {
    const [limit, before] = [wholeIn(req, '_limit'), wholeIn(req, '_before')]
    const most = limit ?? USUAL
    await engine.catchUp()
    const { history } = engine
    const listed = history.list(accessOf ? Number.POSITIVE_INFINITY : most, before)
    const entries = await readable(req, listed, most)
    await send(
      res,
      entries.map((commit) => showCommit(commit, history, engine.naming)),
    )
  }

  const getChanges = async (req: Request, res: Response) => {
    const sent = wholeIn(req, 'since')
    await engine.catchUp()
    const { history } = engine
    const since = sent ?? history.version
    const commits = history.since(since)
    if (!commits) {
      throw new StorageError(
        'HISTORY_GONE',
        `The changes since version ${since} are not kept. Read the data again, and go on from version ${history.version}.`,
      )
    }
    const changes = (await readable(req, commits)).flatMap((each) => showChanges(each, engine.naming))
    await send(res, { version: history.version, changes })
  }

  const move = (direction: 'undo' | 'redo') => async (req: Request, res: Response) => {
    const to = versionIn(req.body)
    const versions = await engine.write({ kind: 'move', direction, to }, { meta: metaOf(req) })
    const { version } = engine.history
    sendJson(res, 200, direction === 'undo' ? { version, undone: versions } : { version, redone: versions })
  }

  const reset = async (req: Request, res: Response) => {
    await options.reset(metaOf(req))
    sendJson(res, 200, { version: engine.history.version })
  }

  return { getHistory, getChanges, undo: move('undo'), redo: move('redo'), reset }
}

function versionIn(body: unknown): number | undefined {
  const { to } = isObject(body) ? body : { to: null }
  if (to === undefined || (typeof to === 'number' && Number.isSafeInteger(to))) return to
  throw new StorageError('INVALID_BODY', NO_VERSION)
}

const NO_VERSION = 'The body must be empty, or name the version to go to: {"to": 1700000000001}'
