import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express'
import { endpoints, INTEGER, listOf, objectOf, TEXT, TIME } from '../../core/kernel/catalogue/endpoint.ts'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { sendError, sendJson } from '../../core/kernel/http/send-json.ts'
import { Turns } from '../../core/kernel/util/turns.ts'
import { isSnapshotId, openSnapshots, type Snapshots } from '../../stores/file/snapshots.ts'
import type { Feature } from '../feature.ts'
import { absoluteUrl, ownUrls, sendNotFound, serveEndpoints } from '../serve-endpoints.ts'

interface SnapshotsOptions {
  /** Without it, every request is refused. */
  store?: Snapshots | undefined
  /** Beside the base, snapshots can be restored, but neither saved nor deleted: all clients share them. */
  isSession?: boolean
  guard: RequestHandler
}

const PATH = '/__snapshots__'

const SNAPSHOT = objectOf({ id: TEXT, file: TEXT, createdAt: TIME })
const RESTORED = objectOf({
  id: TEXT,
  restored: { const: true },
  counts: { type: 'object', additionalProperties: INTEGER },
})
const ofOne = { takes: { id: { ...TEXT, examples: ['db-1700000000000'] } } }
const NAMED = ['INVALID_SNAPSHOT_ID', 'SNAPSHOT_NOT_FOUND'] as const
const OF_ALL = ['WRITE_FAILED', 'NOT_IN_SESSION'] as const

const SNAPSHOT_ENDPOINTS = endpoints(
  { kind: 'manage', isFor: 'admins' },
  {
    listSnapshots: [`GET ${PATH}`, 'All snapshots, newest first', { kind: 'about', gives: listOf(SNAPSHOT) }],
    saveSnapshot: [
      `POST ${PATH}`,
      'Save a snapshot',
      { gives: SNAPSHOT, status: 201, headers: ['Location'], errors: OF_ALL },
    ],
    getSnapshot: [
      `GET ${PATH}/{id}`,
      'Get a snapshot',
      { ...ofOne, kind: 'about', gives: SNAPSHOT, errors: NAMED },
    ],
    restoreSnapshot: [
      `PUT ${PATH}/{id}`,
      'Restore a snapshot',
      { ...ofOne, gives: RESTORED, errors: [...NAMED, 'INVALID_SNAPSHOT', 'WRITE_FAILED'] },
    ],
    deleteSnapshot: [`DELETE ${PATH}/{id}`, 'Delete a snapshot', { ...ofOne, errors: [...NAMED, ...OF_ALL] }],
  },
)

export const snapshotsFeature: Feature = {
  name: 'snapshots',
  endpoints: SNAPSHOT_ENDPOINTS,
  isDescribed: ({ snapshots: directory }) => directory !== undefined,
  open: () => ({
    under: ({ config: { snapshots: directory }, images, now }) => ({
      serve: ({ world, guard }) =>
        snapshots({
          store: directory ? openSnapshots(world.engine, { directory, now, images }) : undefined,
          isSession: world !== world.base,
          guard,
        }),
    }),
  }),
}

export function snapshots(options: SnapshotsOptions): Router {
  const { store } = options
  const router = Router().use(ownUrls)
  if (store === undefined) return router.use(PATH, refuseDisabled)
  return router.use(routes(options, store), refuseFailure).use(PATH, (_req, res) => sendNotFound(res))
}

function routes({ isSession, guard }: SnapshotsOptions, store: Snapshots): Router {
  const turns = new Turns()
  const ofId = (act: (id: string) => Promise<unknown>) => async (req: Request, res: Response) => {
    const id = String(req.params.id)
    if (!isSnapshotId(id)) {
      const message = `Snapshot ids look like db-1700000000000: GET ${PATH} lists them`
      return sendError(res, 'INVALID_SNAPSHOT_ID', message)
    }
    const result = await act(id)
    if (result === undefined) {
      sendError(res, 'SNAPSHOT_NOT_FOUND', `There is no snapshot with that id: GET ${PATH} lists them`)
    } else sendJson(res, 200, result)
  }
  const handlers = {
    listSnapshots: async (_req: Request, res: Response) => sendJson(res, 200, await store.list()),
    async saveSnapshot(req: Request, res: Response) {
      // One at a time: meanwhile, a second copy of all data may be in memory.
      const saved = await turns.take(() => store.save())
      res.location(absoluteUrl(req, `${req.baseUrl}${PATH}/${saved.id}`))
      sendJson(res, 201, saved)
    },
    getSnapshot: ofId((id) => store.find(id)),
    restoreSnapshot: ofId(async (id) => {
      const counts = await store.restore(id)
      return counts && { id, restored: true, counts }
    }),
    deleteSnapshot: ofId(async (id) => ((await store.remove(id)) ? {} : undefined)),
  }
  const ofEverybody = isSession && { saveSnapshot: refuseInSession, deleteSnapshot: refuseInSession }
  return serveEndpoints(SNAPSHOT_ENDPOINTS, { ...handlers, ...ofEverybody }, { guard })
}

function refuseInSession(_req: Request, res: Response): void {
  const message = 'Snapshots belong to everybody: save and delete them without X-Mock-Session.'
  sendError(res, 'NOT_IN_SESSION', message)
}

function refuseDisabled(_req: Request, res: Response): void {
  const message = 'Name a directory to keep snapshots in: --snapshots DIR, or "snapshots" in the config file'
  sendError(res, 'SNAPSHOTS_DISABLED', message)
}

const refuseFailure: ErrorRequestHandler = (error, _req, res, next) => {
  if (!(error instanceof StorageError) || error.code === 'SOURCE_UNAVAILABLE') return next(error)
  if (error.code === 'WRITE_FAILED') return sendError(res, 'WRITE_FAILED', error.message)
  const message = `${error.message} Nothing was changed: repair the file, or delete the snapshot.`
  sendError(res, 'INVALID_SNAPSHOT', message)
}
