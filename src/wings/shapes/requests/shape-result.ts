import type { Request, Response } from 'express'
import type { JoinedList } from '../../../core/engine/question.ts'
import type { Row } from '../../../core/engine/types.ts'
import { shapedError } from '../../../core/kernel/http/send-json.ts'
import { isLong } from '../../../core/kernel/json/pretty-json.ts'
import { isObject } from '../../../core/kernel/json/values.ts'
import type { Frame, ListHead, RenderableResult } from '../../../core/router/read.ts'
import { sizeOf } from '../../../core/router/response/response-memory.ts'
import { frameOf, ROWS } from '../template.ts'
import { listValues } from './list-values.ts'
import {
  type RelatedCollection,
  type RequestShape,
  requestShapes,
  showItem,
  showRow,
} from './request-shape.ts'
import { NOT_FOUND } from './shape-errors.ts'
import { shownExplanation, shownParts } from './shown-diagnostics.ts'

/** A result as the request's shape has it: what is sent, and what is said about the query. */
export function shapeResult(req: Request, res: Response, reading: RenderableResult): RenderableResult {
  const request = requestShapes.get(req)
  if (!request) return reading
  const { shape, status } = request
  // One by one: a copy would build all rows of a long list.
  const { hasRelations, list, ignored, isStrict, isIndifferent, isMissing } = reading
  const isCurrent = () => reading.isCurrent() && request.isCurrent()
  const type = isMissing && shape.hasErrors ? shape.errorType : shape.template.type
  const rest: Rest = {
    isCurrent,
    ...(type !== undefined && { type }),
    ...(hasRelations && { hasRelations }),
    ...(list && { list }),
    ...((ignored || request.unread.length > 0) && {
      ignored: { resource: request.resource, parts: shownParts(ignored?.parts ?? [], request) },
    }),
    ...(isStrict !== undefined && { isStrict }),
    ...(isIndifferent && { isIndifferent }),
    ...(isMissing && { isMissing }),
  }
  if (isMissing)
    return { ...rest, data: shape.hasErrors ? shapedError(res, status.missing ?? 404, NOT_FOUND) : {} }
  if (reading.isExplanation) return { isCurrent, data: shownExplanation(reading.data, request) }
  if (!list) return { ...rest, data: shapeItem(request, reading.data) }
  return shapeList(req, request, reading, { ...rest, list })
}

type Rest = Omit<RenderableResult, 'data'>

function shapeItem(request: RequestShape, data: unknown): unknown {
  if (request.relations.size === 0) return showItem(request, data)
  const included = new Included(request)
  const row = included.show(data)
  return request.shape.item({ resource: request.resource, row, included: included.rows })
}

function shapeList(
  req: Request,
  request: RequestShape,
  reading: RenderableResult,
  rest: Rest & { readonly list: ListHead },
): RenderableResult {
  const { shape, resource } = request
  const rows = reading.joined ?? rowsIn(reading.data)
  const { kind } = rest.list.window
  const head = { ...rest.list, resource, count: rows.length }
  if (request.relations.size > 0) {
    const included = new Included(request)
    const shown = rowsOf(rows).map((row) => included.show(row))
    const parts = { rows: shown, included: included.rows }
    return { ...rest, data: shape.list(listValues(req, head, request, parts), kind) }
  }
  const frame = frameOf(shape.list(listValues(req, head, request, { rows: ROWS }), kind))
  const write = () => shape.written.list(rowsOf(rows), frame, resource, (row) => showRow(request, row))
  const isShort = !('toArray' in rows || isLong(rows))
  return Object.assign(new FramedList(shownList(rows, request), frame), rest, isShort && { write })
}

/** A class, since a getter in a literal makes V8 forget what it knows about the object. */
class FramedList {
  readonly joined: JoinedList
  readonly frame: Frame

  constructor(joined: JoinedList, frame: Frame) {
    this.joined = joined
    this.frame = frame
  }

  get data(): unknown {
    return this.frame.around(this.joined.toArray())
  }
}

function rowsOf(rows: readonly Row[] | JoinedList): readonly Row[] {
  return 'toArray' in rows ? rows.toArray() : rows
}

/** With `_per_page`, the engine has put them into an object. */
function rowsIn(data: unknown): readonly Row[] {
  return Array.isArray(data) ? data : Object(data).data
}

/** Rows that are shaped when accessed: all of them may take far more memory than the data. */
function shownList(rows: readonly Row[] | JoinedList, request: RequestShape): JoinedList {
  const isKept = request.shape.keepsRows
  const show = (row: unknown) => (isKept ? row : showRow(request, row)) as Row
  return {
    length: rows.length,
    at: (index) => show(rows.at(index)),
    sizeUpTo: (limit) =>
      'toArray' in rows ? rows.sizeUpTo(limit) : sizeOf({ data: rows, isCurrent: () => true }, limit),
    toArray: () => (isKept ? rowsOf(rows) : rowsOf(rows).map(show)),
  }
}

/** Rows without what was attached to them, which is gathered once, however many rows refer to it. */
class Included {
  readonly #request: RequestShape
  readonly #rows = new Map<string, unknown>()

  constructor(request: RequestShape) {
    this.#request = request
  }

  get rows(): readonly unknown[] {
    return [...this.#rows.values()]
  }

  show(row: unknown): unknown {
    if (!isObject(row)) return row
    const { shape, relations } = this.#request
    const fields = { ...row }
    const relationships: Row = {}
    for (const [name, collection] of relations) {
      if (!Object.hasOwn(row, name)) continue
      const related = row[name]
      delete fields[name]
      const data = Array.isArray(related)
        ? related.map((one) => this.#add(one, collection))
        : this.#add(related, collection)
      relationships[shape.showKey?.(name) ?? name] = { data }
    }
    return showRow(this.#request, fields, { relationships })
  }

  /** Adds a reference to a related row. */
  #add(row: unknown, { name: type, id: name }: RelatedCollection): unknown {
    const { shape } = this.#request
    if (!isObject(row)) return null
    const id = String(row[name])
    const key = `${type}\n${id}`
    if (!this.#rows.has(key)) this.#rows.set(key, shape.row(row, name, { resource: type }))
    return { type, id }
  }
}
