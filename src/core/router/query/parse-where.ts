import type { Condition, Where } from '../../engine/types.ts'
import { isOperator, OPERATOR_NAMES, type Operator } from '../../kernel/catalogue/operators.ts'
import { findJsonFault } from '../../kernel/json/find-json-fault.ts'
import { isObject } from '../../kernel/json/values.ts'
import { RequestError } from '../request-error.ts'
import { isScalar, readJson } from './dialects.ts'

const MOST = { conditions: 200, levels: 20 } as const

export function parseWhere(text: string): Where {
  return new WhereReader().fields(parseJson(text), { position: '_where', prefix: '', level: 1 })
}

interface Spot {
  readonly position: string
  readonly prefix: string
  readonly level: number
}

class WhereReader {
  #conditions = 0

  fields(value: unknown, spot: Spot): Where {
    if (!isObject(value)) return refuseWhere(spot.position, 'must be an object')
    if (spot.level > MOST.levels)
      return refuseWhere(spot.position, `is nested more than ${MOST.levels} levels deep`)
    return { and: Object.entries(value).map(([name, own]) => this.#entry(name, own, spot)) }
  }

  #entry(name: string, value: unknown, { position, prefix, level }: Spot): Where {
    const spot = { position: `${position}.${name}`, prefix, level: level + 1 }
    if (name === 'not') return { not: this.fields(value, spot) }
    if (name === 'and') return { and: this.#list(value, spot) }
    if (name === 'or') return { or: this.#list(value, spot) }
    if (isOperator(name)) {
      return refuseWhere(
        spot.position,
        `is an operator, not a field; a field of that name is reached by ${prefix}${name}=… in the URL`,
      )
    }
    const path = prefix + name
    if (Array.isArray(value)) return this.#condition(path, 'in', value, spot.position)
    if (isScalar(value) || value === null) return this.#condition(path, 'eq', value, spot.position)
    return this.#field(path, Object.entries(Object(value)), { ...spot, prefix: `${path}.` })
  }

  #list(value: unknown, spot: Spot): readonly Where[] {
    if (!Array.isArray(value)) return refuseWhere(spot.position, 'must be a list of objects')
    return value.map((part, at) => this.fields(part, { ...spot, position: `${spot.position}[${at}]` }))
  }

  #field(path: string, entries: readonly (readonly [string, unknown])[], spot: Spot): Where {
    const other = entries.find(([name]) => !isOperator(name))
    const isMixed = other && entries.some(([name]) => isOperator(name))
    if (isMixed) {
      const operatorNames = OPERATOR_NAMES.join(', ')
      return refuseWhere(
        `${spot.position}.${other[0]}`,
        `is not an operator, but is mixed with operators (${operatorNames})`,
      )
    }
    if (other || entries.length === 0) return this.fields(Object.fromEntries(entries), spot)
    const operators = entries.filter((entry): entry is [Operator, unknown] => isOperator(entry[0]))
    return { and: operators.map(([op, value]) => this.#condition(path, op, value, `${spot.position}.${op}`)) }
  }

  #condition(path: string, op: Operator, value: unknown, position: string): Condition {
    if (value === null && (op === 'eq' || op === 'ne'))
      return this.#condition(path, 'null', op === 'eq', position)
    const values = readJson(op, value)
    if ('expected' in values) return refuseWhere(position, `must be ${values.expected}`)
    if (++this.#conditions > MOST.conditions)
      return refuseWhere(position, `is one condition too many: there may be ${MOST.conditions}`)
    return { path, op, values, place: position }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const { column, expected } = findJsonFault(text)
    return refuseWhere('_where', `is not valid JSON: expected ${expected} at character ${column}`)
  }
}

function refuseWhere(position: string, what: string): never {
  throw new RequestError('INVALID_QUERY', `${position} ${what}.`)
}
