import type { Request, RequestHandler } from 'express'
import { COUNT, endpoints, listOf, OPEN, objectOf, TEXT } from '../../core/kernel/catalogue/endpoint.ts'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import type { FaultRule, FaultSettings } from '../../core/kernel/catalogue/faults-info.ts'
import { sendJson } from '../../core/kernel/http/send-json.ts'
import { SERVER_PATHS } from '../../core/kernel/http/server-paths.ts'
import { type HandlersOf, sendNotFound } from '../serve-endpoints.ts'
import type { FaultRules } from './fault-rules.ts'

interface FaultsEndpointOptions {
  readonly rules: FaultRules
  readonly parse: (settings: unknown) => FaultSettings
}

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
const SEED = { type: ['string', 'number'] }
const RULES = { type: 'object', properties: { seed: SEED, rules: listOf(RULE) } }
const EXAMPLE = { match: { path: '/products/*' }, rate: 0.2, status: 503 }
const FAULTS = objectOf({
  seed: SEED,
  isConfig: { type: 'boolean' },
  rules: listOf(OPEN),
  decisions: listOf(OPEN),
})

const { faults: ALL, fault: ONE } = SERVER_PATHS
const ofOne = { takes: { id: COUNT }, mayBeMissing: true }

export const FAULT_ENDPOINTS = endpoints(
  { kind: 'control', isFor: 'admins of the base', gives: FAULTS },
  {
    getFaults: [`GET ${ALL}`, 'Which requests fail on purpose'],
    setFaults: [
      `PUT ${ALL}`,
      'Start with other rules',
      { body: RULES, example: { seed: 1, rules: [EXAMPLE] } },
    ],
    addFault: [`POST ${ALL}`, 'Put a rule in front', { body: RULE, example: EXAMPLE, status: 201 }],
    resetFaults: [`DELETE ${ALL}`, 'Start with the rules of the config'],
    turnFault: [
      `PATCH ${ONE}`,
      'Turn a rule on or off',
      { ...ofOne, body: objectOf({ on: { type: 'boolean' } }), example: { on: false } },
    ],
    removeFault: [`DELETE ${ONE}`, 'Remove a rule', ofOne],
  },
)

/** Shows and changes the rules. Turning one on or off does not reset the counts of the others. */
export function faultRules(options: FaultsEndpointOptions): HandlersOf<typeof FAULT_ENDPOINTS> {
  const { rules, parse } = options
  const changing = (change: (req: Request) => unknown, status = 200): RequestHandler => {
    return (req, res) => {
      if (change(req) === false) return sendNotFound(res)
      sendJson(res, status, rules.info)
    }
  }
  return {
    getFaults: (_req, res) => sendJson(res, 200, rules.info),
    setFaults: changing((req) => rules.use(parse(req.body))),
    addFault: changing((req) => rules.add(ruleIn(parse({ rules: [req.body] }))), 201),
    resetFaults: changing(() => rules.reset()),
    turnFault: changing((req) => {
      const { on, ...rest }: { on?: unknown } = Object(req.body)
      if (typeof on === 'boolean' && Object.keys(rest).length === 0) return rules.turn(idOf(req), on)
      throw new ConfigError('Send {"on": true} or {"on": false}.')
    }),
    removeFault: changing((req) => rules.remove(idOf(req))),
  }
}

function idOf(req: Request): number {
  return Number(req.params.id)
}

function ruleIn({ rules: [rule] = [] }: FaultSettings): FaultRule {
  if (rule === undefined) throw new ConfigError('Send a rule.')
  return rule
}
