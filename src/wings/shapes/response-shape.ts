import { isObject, isRecord, setField } from '../../core/kernel/json/values.ts'
import type { OwnStatuses } from '../../core/router/own-statuses.ts'
import { inStyle, type KeyStyle } from './key-style.ts'
import { ENVELOPE } from './presets.ts'
import { RowBytes } from './row-bytes.ts'
import { type ShapeSetting, type ShapeSettings, shapesIn, templateOf } from './shape-settings.ts'
import type { ShapeTemplate } from './shape-template.ts'
import { compile, type Fill, type WordValues, wordsIn } from './template.ts'
import { LINKS } from './words.ts'

type Row = Record<string, unknown>

/** The kind of list that a client asks for: see `Window`. */
export type ListKind = 'page' | 'envelope' | 'all' | 'limit' | 'slice' | 'cursor'

/** A template, compiled: how responses look. */
export class ResponseShape {
  readonly template: ShapeTemplate
  /** Whether URLs are in lists: then the same rows look different to clients that came another way. */
  readonly hasLinks: boolean
  readonly hasErrors: boolean
  readonly status: OwnStatuses
  /** Whether related rows stand beside the rows, as in JSON:API. */
  readonly separatesRelations: boolean
  readonly showKey: ((name: string) => string) | undefined
  readonly #lists: Readonly<Record<ListKind, Fill>>
  readonly #item: Fill
  readonly #row: Fill | undefined
  readonly #error: Fill
  readonly #invalid: Fill
  readonly written = new RowBytes()

  constructor(template: ShapeTemplate) {
    const { list = '$rows', unpaged = list, offset = list, item = '$row' } = template
    const { row, error, invalid = error } = template
    this.template = template
    this.#lists = {
      page: compile(list),
      // Without a template for lists, they stay as they are.
      envelope: compile(template.list ?? ENVELOPE),
      all: compile(unpaged),
      cursor: compile(list),
      limit: compile(offset),
      slice: compile(offset),
    }
    this.#item = compile(item)
    this.#row = row === undefined ? undefined : compile(row)
    this.#error = compile(error)
    this.#invalid = compile(invalid)
    this.hasErrors = error !== undefined
    this.status = typeof template.status === 'object' ? template.status : {}
    this.separatesRelations = wordsIn(row).includes('relationships')
    this.hasLinks = wordsIn([list, unpaged, offset]).some((word) => LINKS.includes(word))
    this.showKey = template.keys && memoized(template.keys)
  }

  get errorType(): string | undefined {
    return this.template.errorType ?? this.template.type
  }

  /** Whether errors look otherwise, or have other statuses. */
  get changesErrors(): boolean {
    return this.hasErrors || Object.keys(this.status).length > 0
  }

  list(values: WordValues, kind: ListKind): unknown {
    return this.#lists[kind](values)
  }

  item(values: WordValues): unknown {
    return this.#item(values)
  }

  /** Whether rows are sent as they are stored. */
  get keepsRows(): boolean {
    return this.#row === undefined && this.showKey === undefined
  }

  row(row: unknown, id: string, values: WordValues): unknown {
    if (!isObject(row)) return row
    return this.shownRow(this.showKey ? renamed(row, this.showKey) : row, id, values)
  }

  /** The same, of a row that has the names already that clients know. */
  shownRow(shown: unknown, id: string, values: WordValues): unknown {
    if (!this.#row || !isObject(shown)) return shown
    const idKey = this.showKey?.(id) ?? id
    const own = Object.hasOwn(shown, idKey) ? shown[idKey] : undefined
    const fields: Row = {}
    for (const name of Object.keys(shown)) if (name !== idKey) setField(fields, name, shown[name])
    const { resource, relationships } = values
    // An object has no id: its name is as good. Field by field, since a spread takes longer than all else.
    return this.#row({ resource, relationships, row: shown, id: own ?? resource, fields })
  }

  error(values: WordValues): unknown {
    const { errors } = values
    if (!isObject(errors)) return this.#error(values)
    const lists = Object.entries(errors).map(([field, problem]) => [field, [problem]])
    return this.#invalid({ ...values, errorLists: Object.fromEntries(lists) })
  }
}

/**
 * With other names for its keys, at every depth.
 * @param refuse called with two keys of an object that would have the same name; otherwise, both stay as they are
 */
export function renamed(
  value: unknown,
  rename: (name: string) => string,
  refuse?: (name: string, other: string) => never,
): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, rename, refuse))
  if (!isRecord(value)) return value
  const copy: Row = {}
  for (const name of Object.keys(value)) {
    const inner = value[name]
    const other = rename(name)
    const isTaken = other !== name && (Object.hasOwn(value, other) || Object.hasOwn(copy, other))
    if (isTaken)
      refuse?.(name, Object.keys(value).find((one) => one !== name && rename(one) === other) ?? other)
    setField(copy, isTaken ? name : other, typeof inner === 'object' ? renamed(inner, rename, refuse) : inner)
  }
  return copy
}

/** Names are few, but rows many. */
const MOST_NAMES = 10_000

function memoized(style: KeyStyle): (name: string) => string {
  const names = new Map<string, string>()
  return (name) => {
    const known = names.get(name)
    if (known !== undefined) return known
    const shown = inStyle(name, style)
    if (names.size < MOST_NAMES) names.set(name, shown)
    return shown
  }
}

/** The shapes of a server, by resource. */
export class ResponseShapes {
  readonly server: ResponseShape | undefined
  readonly hasErrors: boolean
  readonly #shapes: ReadonlyMap<string, ResponseShape>

  private constructor(shapes: Readonly<Record<string, ShapeSetting>>) {
    const all = Object.entries(shapes).map(
      ([name, shape]) => [name, new ResponseShape(templateOf(shape))] as const,
    )
    this.#shapes = new Map(all)
    this.server = this.#shapes.get('')
    this.hasErrors = all.some(([, shape]) => shape.changesErrors)
  }

  /** Undefined where responses stay as they are. */
  static open(settings: ShapeSettings): ResponseShapes | undefined {
    const shapes = shapesIn(settings)
    return shapes && new ResponseShapes(shapes)
  }

  of(resource: string | undefined): ResponseShape | undefined {
    return this.#shapes.get(resource ?? '') ?? this.server
  }
}
