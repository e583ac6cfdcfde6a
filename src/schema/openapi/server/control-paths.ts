import { objectOf } from '../contents.ts'
import type { Operations, PathItem, Wanted } from '../operations.ts'

/** Where tests turn the server's clock, and make requests fail on purpose. */
export function controlPaths(operations: Operations, tag: string): [string, PathItem][] {
  return [...clockPaths(operations, tag), ...(operations.settings.faults ? faultPaths(operations, tag) : [])]
}

function clockPaths(operations: Operations, tag: string): [string, PathItem][] {
  const make = (wanted: Omit<Wanted, 'tag' | 'answer'>) =>
    operations.make({ ...wanted, tag, answer: { schema: FACE } })
  const [path, advance] = ['/__clock', '/__clock/advance']
  const set = { schema: SETTING, example: { now: '2027-01-01T00:00:00Z', frozen: true } }
  const step = { schema: STEP, example: { by: '1h' } }
  return [
    [
      path,
      {
        get: make({ path, deed: 'seeControl', id: 'getClock', summary: 'What time it is for the server' }),
        ...operations.writes(() => ({
          put: make({ path, deed: 'turn', id: 'setClock', summary: 'Set the clock', body: set }),
          delete: make({ path, deed: 'turnBack', id: 'resetClock', summary: 'Show the real time again' }),
        })),
      },
    ],
    ...present(advance, operations, () => ({
      post: make({
        path: advance,
        deed: 'turn',
        id: 'advanceClock',
        summary: 'Turn the clock on',
        body: step,
      }),
    })),
  ]
}

function faultPaths(operations: Operations, tag: string): [string, PathItem][] {
  const make = (wanted: Omit<Wanted, 'tag' | 'answer'>, status = 200) =>
    operations.make({ ...wanted, tag, answer: { schema: FAULTS, status } })
  const [path, one] = ['/__faults', '/__faults/{id}']
  const rest = { path: one, parameters: [ID], mayBeMissing: true }
  const example = { match: { path: '/products/*' }, rate: 0.2, status: 503 }
  return [
    [
      path,
      {
        get: make({ path, deed: 'seeControl', id: 'getFaults', summary: 'Which requests fail on purpose' }),
        ...operations.writes(() => ({
          put: make({
            path,
            deed: 'turn',
            id: 'setFaults',
            summary: 'Start with other rules',
            body: { schema: SETTINGS, example: { seed: 1, rules: [example] } },
          }),
          post: make(
            {
              path,
              deed: 'turn',
              id: 'addFault',
              summary: 'Put a rule in front',
              body: { schema: RULE, example },
            },
            201,
          ),
          delete: make({
            path,
            deed: 'turnBack',
            id: 'resetFaults',
            summary: 'Start with the rules of the config',
          }),
        })),
      },
    ],
    ...present(one, operations, () => ({
      patch: make({
        ...rest,
        deed: 'turn',
        id: 'turnFault',
        summary: 'Turn a rule on or off',
        body: { schema: objectOf({ on: { type: 'boolean' } }), example: { on: false } },
      }),
      delete: make({ ...rest, deed: 'turnBack', id: 'removeFault', summary: 'Remove a rule' }),
    })),
  ]
}

/** A path that a read-only server does not have. */
function present(path: string, operations: Operations, make: () => PathItem): [string, PathItem][] {
  return operations.settings.readOnly ? [] : [[path, make()]]
}

const TEXT = { type: 'string' }
const TIME = { ...TEXT, format: 'date-time' }
const COUNT = { type: 'integer', minimum: 0 }
const ID = { name: 'id', in: 'path', required: true, schema: COUNT }
const OBJECT = { type: 'object', additionalProperties: true }

const FACE = objectOf({ now: TIME, frozen: { type: 'boolean' }, real: TIME, offset: { type: 'integer' } })
const SETTING = {
  type: 'object',
  properties: { now: { type: ['string', 'integer'] }, frozen: { type: 'boolean' } },
}
const STEP = objectOf({
  by: { type: ['string', 'integer'], description: '`1h`, `15m`, `500ms`, or milliseconds' },
})

const RULE = {
  type: 'object',
  properties: {
    on: { type: 'boolean', default: true },
    match: { type: 'object', properties: { method: { type: ['string', 'array'], items: TEXT }, path: TEXT } },
    rate: { type: 'number', minimum: 0, maximum: 1, default: 1 },
    skip: COUNT,
    times: { type: 'integer', minimum: 1 },
    delay: {
      type: ['integer', 'array'],
      items: COUNT,
      description: 'Milliseconds, or the least and the most',
    },
    status: { type: 'integer', minimum: 200, maximum: 599 },
    headers: { type: 'object', additionalProperties: TEXT },
    body: { description: 'JSON, or a string that is sent as it is' },
    fault: { enum: ['reset', 'empty', 'hang', 'truncate'] },
    when: { const: 'after' },
  },
}
const SETTINGS = {
  type: 'object',
  properties: { seed: { type: ['string', 'number'] }, rules: { type: 'array', items: RULE } },
}
const FAULTS = objectOf({
  seed: { type: ['string', 'number'] },
  isConfig: { type: 'boolean' },
  rules: { type: 'array', items: OBJECT },
  decisions: { type: 'array', items: OBJECT },
})
