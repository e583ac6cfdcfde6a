import type { Request, Response } from 'express'
import { shapedError } from '../../http/error-shape.ts'
import { extended } from '../../shape/template.ts'
import { isLong } from '../../storage/json/pretty-json.ts'
import type { JoinedList } from '../../storage/question.ts'
import type { Row } from '../../storage/types.ts'
import type { ListHead, Reading } from '../read.ts'
import { sizeOf } from '../response/response-memory.ts'
import { listValues } from './list-values.ts'
import { Included } from './relationships.ts'
import { type RequestShape, shapeOf, showItem, showRow } from './request-shape.ts'
import { NOT_FOUND } from './shape-error.ts'
import { shownExplanation, shownParts } from './shown-diagnostics.ts'

/** A reading as the request's shape has it: what is sent, and what is said about the query. */
export function shapeReading(req: Request, res: Response, reading: Reading): Reading {
  const request = shapeOf(req)
  if (!request) return reading
  const { shape } = request
  // One by one: a copy would build all rows of a long list.
  const { isCurrent, hasRelations, list, ignored, idle, isStrict, isIndifferent, isMissing } = reading
  const rest: Rest = {
    isCurrent,
    ...(shape.template.type !== undefined && { type: shape.template.type }),
    ...(hasRelations && { hasRelations }),
    ...(list && { list }),
    ...((ignored || request.unread.length > 0) && {
      ignored: { resource: request.resource, parts: shownParts(ignored?.parts ?? [], request) },
    }),
    ...(idle && { idle }),
    ...(isStrict !== undefined && { isStrict }),
    ...(isIndifferent && { isIndifferent }),
    ...(isMissing && { isMissing }),
  }
  if (isMissing) return { ...rest, data: shape.hasErrors ? shapedError(res, 404, NOT_FOUND) : {} }
  if (reading.isExplanation) return { isCurrent, data: shownExplanation(reading.data, request) }
  if (!list) return { ...rest, data: shapeItem(request, reading.data) }
  return shapeList(req, request, reading, { ...rest, list })
}

type Rest = Omit<Reading, 'data'>

function shapeItem(request: RequestShape, data: unknown): unknown {
  if (request.relations.size === 0) return showItem(request, data)
  const included = new Included(request)
  const row = included.show(data)
  return request.shape.item({ resource: request.resource, row, included: included.rows })
}

function shapeList(
  req: Request,
  request: RequestShape,
  reading: Reading,
  rest: Rest & { readonly list: ListHead },
): Reading {
  const { shape, resource } = request
  const rows = reading.joined ?? rowsIn(reading.data)
  const isPaged = rest.list.window !== 'all'
  const values = listValues(req, { ...rest.list, resource, count: rows.length }, request, shape.template)
  if (request.relations.size > 0) {
    const included = new Included(request)
    const shown = ('toArray' in rows ? rows.toArray() : rows).map((row) => included.show(row))
    return { ...rest, data: shape.list(extended(values, { rows: shown, included: included.rows }), isPaged) }
  }
  if (!('toArray' in rows) && !isLong(rows)) {
    const shown = shape.keepsRows ? rows : rows.map((row) => showRow(request, row))
    return { ...rest, isShort: true, data: shape.list(extended(values, { rows: shown }), isPaged) }
  }
  const joined = shownList(rows, request)
  return {
    ...rest,
    get data() {
      return shape.list(extended(values, { rows: joined.toArray() }), isPaged)
    },
    joined,
    frame: shape.frame(values, isPaged),
  }
}

/** With `_per_page`, the engine has put them into an object. */
function rowsIn(data: unknown): readonly Row[] {
  return Array.isArray(data) ? data : Object(data).data
}

/** Rows that are shaped when accessed: all of them may take far more memory than the data. */
function shownList(rows: readonly Row[] | JoinedList, request: RequestShape): JoinedList {
  const isKept = request.shape.keepsRows
  const show = (row: unknown) => (isKept ? row : showRow(request, row)) as Row
  const all = () => ('toArray' in rows ? rows.toArray() : rows)
  return {
    length: rows.length,
    at: (index) => show(rows.at(index)),
    sizeUpTo: (limit) =>
      'toArray' in rows ? rows.sizeUpTo(limit) : sizeOf({ data: rows, isCurrent: () => true }, limit),
    toArray: () => (isKept ? all() : all().map(show)),
  }
}
