import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express'
import { StorageError } from '../errors.ts'
import { sendError, sendJson } from '../http/send-json.ts'
import { isSnapshotId } from '../storage/snapshots/snapshot.ts'
import type { Snapshots } from '../storage/snapshots/snapshots.ts'
import { Turns } from '../work/turns.ts'
import { absoluteUrl, sendNotFound } from './_answer.ts'
import { ownUrls } from './_own-url.ts'

export interface SnapshotsOptions {
  /** Where they are kept. Without it, every request is refused. */
  kept?: Snapshots | undefined
  /** Snapshots can be restored, but neither saved nor deleted: they are everybody's. */
  isSession?: boolean
  /** Refuses pages of other sites. */
  guard: RequestHandler
}

const PATH = '/__snapshots__'

/** Saves copies of the database, lists, restores and deletes them: `/__snapshots__` and `/__snapshots__/<id>`. */
export function snapshots(options: SnapshotsOptions): Router {
  const router = Router()
  router.use(ownUrls)
  router.use(PATH, options.kept === undefined ? refuseDisabled : routes(options, options.kept))
  return router
}

function routes({ isSession, guard }: SnapshotsOptions, kept: Snapshots): Router {
  const turns = new Turns()
  const router = Router()

  router.get('/', async (_req, res) => sendJson(res, 200, await kept.list()))

  router.get('/:id', requireId, async (req, res) => {
    const found = await kept.find(idOf(req))
    if (found === undefined) return refuseUnknown(res)
    sendJson(res, 200, found)
  })

  // Everything from here on changes something.
  router.use(guard)

  if (isSession) {
    router.post('/', refuseInSession)
    router.delete('/:id', refuseInSession)
  }

  router.post('/', async (req, res) => {
    // One at a time: until it is saved, a second copy of all data may be in memory.
    const saved = await turns.take(() => kept.save())
    res.location(absoluteUrl(req, `${req.baseUrl}/${saved.id}`))
    sendJson(res, 201, saved)
  })

  router.put('/:id', requireId, async (req, res) => {
    const id = idOf(req)
    const counts = await kept.restore(id)
    if (counts === undefined) return refuseUnknown(res)
    sendJson(res, 200, { id, restored: true, counts })
  })

  router.delete('/:id', requireId, async (req, res) => {
    if (!(await kept.remove(idOf(req)))) return refuseUnknown(res)
    sendJson(res, 200, {})
  })

  router.use((_req, res) => sendNotFound(res))
  router.use(refuseFailure)
  return router
}

function idOf(req: Request): string {
  return String(req.params.id)
}

const requireId: RequestHandler = (req, res, next) => {
  if (isSnapshotId(idOf(req))) return next()
  sendError(res, 'INVALID_SNAPSHOT_ID', `Snapshot ids look like db-1700000000000: GET ${PATH} lists them`)
}

function refuseUnknown(res: Response): void {
  sendError(res, 'SNAPSHOT_NOT_FOUND', `There is no snapshot with that id: GET ${PATH} lists them`)
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
