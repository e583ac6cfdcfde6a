import { SingleFlight } from '../../src/core/kernel/util/single-flight.ts'
import { type ApiModel, apiModel, type Describable } from '../../src/features/describe/api-model.ts'
import type { ApiSettings } from '../../src/features/describe/openapi/settings.ts'

type Data = Readonly<Record<string, unknown>>

/** Data as it is described, with nothing around it. */
function describable(data: Data, foreignKeySuffix = '_id'): Describable {
  return {
    naming: { id: 'id', foreignKeySuffix },
    names: () => Object.keys(data),
    kindOf: (name) => (Array.isArray(data[name]) ? 'collection' : 'object'),
    read: async (name) => ({ values: [data[name]].flat(), isCurrent: () => true }),
  }
}

export function modelOf(data: Data, foreignKeySuffix?: string): Promise<ApiModel> {
  return apiModel(describable(data, foreignKeySuffix), new SingleFlight({ isKept: true }))
}

/** A plain server. */
export const SETTINGS: ApiSettings = {
  title: 'db.json',
  version: '1.0.0',
  servers: ['http://localhost:3000'],
  readOnly: false,
  cascade: false,
  endpoints: [],
  sessions: false,
  addedErrors: [],
  addedBodies: [],
  addedParameters: [],
  addedHeaders: [],
  jsonp: true,
  originChecks: { hosts: false, origins: false },
  layers: [],
  rewrites: {},
  rewrite: (url) => url,
}
