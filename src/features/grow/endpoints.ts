import type { Request } from 'express'
import { COUNT, endpoints, INTEGER, listOf, OPEN, objectOf } from '../../core/kernel/catalogue/endpoint.ts'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { sendJson } from '../../core/kernel/http/send-json.ts'
import { endpointFeature } from '../endpoint-feature.ts'

const WANTED = { type: 'object', additionalProperties: { anyOf: [{ ...COUNT, minimum: 1 }, listOf(OPEN)] } }
const GROWN = objectOf({
  version: INTEGER,
  created: { type: 'object', additionalProperties: INTEGER },
  rows: { type: 'object', additionalProperties: listOf(OPEN) },
})

const GROW_ENDPOINTS = endpoints(
  { kind: 'manage' },
  {
    grow: [
      'POST /__grow',
      'Add rows like those that are there',
      {
        takes: { seed: COUNT },
        body: WANTED,
        gives: GROWN,
        status: 201,
        errors: [
          ...(['INVALID_BODY', 'INVALID_QUERY', 'RESOURCE_NOT_FOUND', 'NOTHING_TO_LEARN_FROM'] as const),
          ...(['VALIDATION_FAILED', 'NOT_UNIQUE', 'DUPLICATE_ID', 'WRITE_FAILED'] as const),
        ],
      },
    ],
  },
)

export const growFeature = endpointFeature({
  name: 'grow',
  endpoints: GROW_ENDPOINTS,
  handlers: (served) => ({
    grow: async (req, res) => {
      const seed = seedIn(req)
      // Rarely needed: no part of the start.
      const { growFor } = await import('./grow-rows.ts')
      sendJson(res, 201, await growFor(served, req, seed))
    },
  }),
})

function seedIn({ query }: Request): number | undefined {
  const { seed } = query
  if (seed === undefined) return undefined
  if (typeof seed === 'string' && /^\d{1,15}$/.test(seed)) return Number(seed)
  throw new StorageError('INVALID_QUERY', 'seed must be a whole number, such as seed=7.')
}
