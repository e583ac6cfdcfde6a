import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Request, type RequestHandler, Router } from 'express'
import type { Row } from '../../core/engine/types.ts'
import { constantTimeEqual } from '../../core/kernel/http/constant-time.ts'
import { sendError, sendJson } from '../../core/kernel/http/send-json.ts'
import { worldOf } from '../../core/kernel/http/world.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { PACKAGE_FOLDER } from '../../core/kernel/util/package-folder.ts'
import { createBodyParser } from '../../core/layers/body-parser.ts'
import { refuseRequest } from '../../core/layers/parts/guard.ts'
import type { Feature } from '../feature.ts'
import { absoluteUrl } from '../serve-endpoints.ts'

interface HostedExamples {
  readonly data: Readonly<Record<'products' | 'companies', readonly Row[]>>
  /** Responses of `GET /products/<id>` that differ from the list. */
  readonly productsById: Readonly<Record<string, Row>>
}

interface HostedOptions {
  variant?: 'public' | 'private'
  /** The `X-Api-Key` that clients of the private variant send. @default 'hosted-private-key-001' */
  key?: string
  /** Receives a warning when JSON arrives under another content type. The console by default. */
  log?: (line: string) => void
}

export const hostedFeature: Feature = {
  name: 'hosted',
  isOn: ({ hosted }) => hosted !== undefined,
  data: () => hostedExamples().data,
  headers: ({ hosted }) => (hosted?.variant === 'private' ? [['X-API-KEY', 'hosted']] : []),
  open: () => ({
    under: ({ config, log }) => ({ beforeData: config.hosted ? [hosted({ ...config.hosted, log })] : [] }),
  }),
}

function hostedExamples(): HostedExamples {
  const { productsById, ...data } = JSON.parse(
    readFileSync(join(PACKAGE_FOLDER, 'data/hosted-examples.json'), 'utf8'),
  )
  return { data, productsById }
}

/** Additions of a hosted mock to the examples: a key, products that differ by id, and writes of any product. */
function hosted({ variant, key = 'hosted-private-key-001', log }: HostedOptions): Router {
  const { data, productsById } = hostedExamples()
  const router = Router()
  if (variant === 'private') router.use(requireKey(key))
  router.get('/products/:id', (req, res, next) => {
    const { id } = req.params
    if (Object.hasOwn(productsById, id)) sendJson(res, 200, productsById[id])
    else next()
  })
  acceptWrites(router, data.products.length + 1, createBodyParser(log && { log }))
  return router
}

/** Accepts any id: nothing is stored, so one that was just created would be unknown, and one to create could be taken. */
function acceptWrites(router: Router, nextId: number, bodyParser: RequestHandler): void {
  const paths = ['/products', '/products/:id']

  router.post(paths, bodyParser, onlyObjects, (req, res) => {
    const rows: readonly Row[] = [req.body].flat()
    const created = rows.map((row, index) => ({ ...row, id: idInPath(req) ?? row.id ?? nextId + index }))
    if (Array.isArray(req.body)) return sendJson(res, 201, created)
    const [item] = created
    res.location(absoluteUrl(req, `${req.baseUrl}/products/${encodeURIComponent(String(item?.id))}`))
    sendJson(res, 201, item)
  })

  router.put(paths, bodyParser, onlyObjects, (req, res) => {
    const id = idInPath(req)
    sendJson(res, 200, id === undefined ? req.body : { ...req.body, id })
  })

  router.delete(paths, (_req, res) => sendJson(res, 200, {}))
}

const onlyObjects: RequestHandler = (req, res, next) => {
  const message = 'The body must be a JSON object, such as {"name": "Desk"}, or an array of them'
  if ([req.body].flat().every(isObject)) next()
  else sendError(res, 'INVALID_BODY', message)
}

/** A number if it is written as one, like the ids of the examples. */
function idInPath(req: Request): string | number | undefined {
  const id: unknown = req.params.id
  if (typeof id !== 'string') return undefined
  return /^(?:0|[1-9]\d{0,14})$/.test(id) ? Number(id) : id
}

function requireKey(expected: string): RequestHandler {
  return function requireKey(req, res, next) {
    // A client with an empty key may still send the header.
    const sent = req.get('X-Api-Key')
    if (!sent) {
      const timestamp = worldOf(req).clock.iso()
      refuseRequest(res, 'hosted', 'API_KEY_MISSING', 'Send an API key in the X-Api-Key header', {
        timestamp,
      })
    } else if (!constantTimeEqual(sent, expected)) {
      refuseRequest(res, 'hosted', 'API_KEY_INVALID', 'The API key in the X-Api-Key header is not valid')
    } else next()
  }
}
