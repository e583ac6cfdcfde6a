import type { RequestHandler } from 'express'
import { COUNT, endpoints, objectOf, TEXT } from '../../core/kernel/catalogue/endpoint.ts'
import { sendJson } from '../../core/kernel/http/send-json.ts'
import type { HandlersOf } from '../serve-endpoints.ts'
import { MODES } from './settings.ts'
import type { WorldProxy } from './world-proxy.ts'

const MODE = { enum: [...MODES] }
const MODE_OF = { type: 'object', additionalProperties: MODE }
const CHANGE = { type: 'object', properties: { mode: MODE, resources: MODE_OF } }
const PROXY = objectOf({ target: TEXT, mode: MODE, resources: MODE_OF, unkept: COUNT })

export const PROXY_ENDPOINTS = endpoints(
  { kind: 'manage', isFor: 'admins', gives: PROXY },
  {
    getProxy: ['GET /__proxy', 'Who answers: the data, or the API behind it'],
    setProxy: [
      'PUT /__proxy',
      'Let others answer',
      { body: CHANGE, example: { mode: 'through', resources: { orders: 'local' } } },
    ],
    resetProxy: ['DELETE /__proxy', 'Go back to the modes of the config'],
  },
)

export function proxyHandlers(
  target: URL,
  { modes, recording }: WorldProxy,
): HandlersOf<typeof PROXY_ENDPOINTS> {
  const show: RequestHandler = (_req, res) => {
    const { mode, resources } = modes
    sendJson(res, 200, { target: target.href, mode, resources, unkept: recording.unkept })
  }
  return {
    getProxy: show,
    setProxy(req, res, next) {
      modes.change(req.body)
      show(req, res, next)
    },
    resetProxy(req, res, next) {
      modes.reset()
      show(req, res, next)
    },
  }
}
