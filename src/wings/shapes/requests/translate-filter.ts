import { isOperator, OPERATORS } from '../../../core/kernel/catalogue/operators.ts'
import { isObject } from '../../../core/kernel/json/values.ts'
import { strings } from '../../../core/router/query/parameter-values.ts'

/** Names of operators elsewhere: `$notIn` in Strapi, `isnull` in Django. `contains` and the like ignore case here. */
const OPERATOR_NAMES: Readonly<Record<string, string>> = {
  exact: 'eq',
  iexact: 'eqi',
  eqi: 'eqi',
  notIn: 'nin',
  containsi: 'contains',
  icontains: 'contains',
  startsWithi: 'startsWith',
  startswith: 'startsWith',
  istartswith: 'startsWith',
  endsWithi: 'endsWith',
  endswith: 'endsWith',
  iendswith: 'endsWith',
  isnull: 'null',
  range: 'between',
}

/** Operators that negate one of ours. */
const OPPOSITES: Readonly<Record<string, string>> = {
  notContains: 'contains',
  notContainsi: 'contains',
  notNull: 'null',
  nei: 'eqi',
}

/** Conditions for `_where`, with the client's names for their positions in it. */
export class Conditions {
  readonly labels = new Map<string, string>()
  /** Of fields. */
  readonly paths: string[] = []
  readonly #all: object[] = []

  /** A filter in brackets: `filter[price][gte]=10`, `filters[$or][0][name][$eq]=x`, `filter[id]=1,2`. */
  addFilter(filter: unknown, name: string): void {
    this.#into(this.#all, '_where', filter, '', name)
  }

  /** `company__name__icontains=x` */
  addLookup({ path, op }: LookupFilter, value: unknown, name: string): void {
    this.#add(this.#all, '_where', name, condition(path, op, value))
  }

  get where(): string | undefined {
    return this.#all.length > 0 ? JSON.stringify({ and: this.#all }) : undefined
  }

  #into(list: object[], position: string, filter: unknown, path: string, label: string): void {
    for (const [key, value] of Object.entries(Object(filter))) {
      const own = `${label}[${key}]`
      const add = (condition: object) => this.#add(list, position, own, condition)
      const part = (inner: string, filter: unknown, label: string): object => {
        const and: object[] = []
        this.#into(and, `${position}.and[${list.length}].${inner}`, filter, path, label)
        return { and }
      }
      const [, logic] = /^\$(and|or|not)$/.exec(key) ?? []
      const name = key.replace(/^\$/, '')
      const inner = path === '' ? name : `${path}.${name}`
      if (logic === 'not') add({ not: part('not', value, own) })
      else if (logic !== undefined) {
        const parts = Array.isArray(value) ? value : Object.values(Object(value))
        add({ [logic]: parts.map((one, at) => part(`${logic}[${at}]`, one, `${own}[${at}]`)) })
      } else if (path !== '' && (key.startsWith('$') || isKnown(name))) {
        this.paths.push(path)
        add(condition(path, name, value))
      } else if (isObject(value)) this.#into(list, position, value, inner, own)
      else {
        this.paths.push(inner)
        const texts = strings(value).flatMap((text) => text.split(','))
        add({ [inner]: texts.length === 1 ? texts[0] : texts })
      }
    }
  }

  #add(list: object[], position: string, label: string, condition: object): void {
    this.labels.set(`${position}.and[${list.length}]`, label)
    list.push(condition)
  }
}

function isKnown(name: string): boolean {
  return isOperator(name) || Object.hasOwn(OPERATOR_NAMES, name) || Object.hasOwn(OPPOSITES, name)
}

/** Repeated, all hold; but a field equals one of them. */
function condition(path: string, name: string, value: unknown): object {
  const opposite = OPPOSITES[name]
  if (opposite !== undefined) return { not: condition(path, opposite, value) }
  const op = OPERATOR_NAMES[name] ?? name
  const texts = strings(value)
  const [text = value, ...more] = texts
  if (op === 'eqi') return { or: texts.map((one) => ({ [path]: { like: `^${literally(one)}$` } })) }
  switch (isOperator(op) ? OPERATORS[op].takes : 'value') {
    case 'toggle':
      return { [path]: { [op]: toggleOf(value) } }
    case 'list':
    case 'pair':
      return { [path]: { [op]: texts.length === 1 ? texts[0]?.split(',') : texts } }
    default:
      if (more.length === 0) return { [path]: { [op]: text } }
      return op === 'eq' ? { [path]: texts } : { and: texts.map((one) => ({ [path]: { [op]: one } })) }
  }
}

export interface LookupFilter {
  readonly path: string
  readonly op: string
}

/** `['company', 'name', 'icontains']` → `company.name`, `contains` */
export function lookupOf(parts: readonly string[]): LookupFilter {
  const last = parts.at(-1) ?? ''
  const op = OPERATOR_NAMES[last] ?? last
  return (isOperator(op) || op === 'eqi') && parts.length > 1
    ? { path: parts.slice(0, -1).join('.'), op }
    : { path: parts.join('.'), op: 'eq' }
}

/** A filter in our own parameters. */
export function lookupFilter({ path, op }: LookupFilter, value: unknown): { name: string; value: unknown } {
  if (op === 'eq') return { name: path, value }
  const isToggle = isOperator(op) && OPERATORS[op].takes === 'toggle'
  const toggle = isToggle ? toggleOf(value) : value
  return { name: `${path}_${op}`, value: typeof toggle === 'boolean' ? String(toggle) : value }
}

/** The boolean that a string stands for; other values are returned for a refusal. */
function toggleOf(value: unknown): unknown {
  const [text = ''] = strings(value)
  if (/^(?:true|1)$/i.test(text)) return true
  return /^(?:false|0)$/i.test(text) ? false : value
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
