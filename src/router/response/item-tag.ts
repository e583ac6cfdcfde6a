import type { Request } from 'express'
import type { Row } from '../../storage/types.ts'
import { shapeOf, showItem } from '../shape/request-shape.ts'
import { renderResponse } from './render-response.ts'

/** The ETag of a plain GET of an item; '' if it is sent without. */
export async function itemTag(req: Request, row: Row): Promise<string> {
  const { app } = req
  const etagOf: unknown = app.get('etag fn')
  if (typeof etagOf !== 'function') return ''
  const request = shapeOf(req)
  const data = request ? showItem(request, row) : row
  if (!writesPlainJson(app)) return String(etagOf(Buffer.from(asExpressWrites(app, data)), 'utf8'))
  const reading = { data, isCurrent: () => false }
  const response = await renderResponse(reading, { etagOf: (body) => String(etagOf(body)) })
  return 'etag' in response ? response.etag : ''
}

/** Whether `res.json` would write what our fast path writes. */
export function writesPlainJson({ settings }: Request['app']): boolean {
  return (
    settings['json spaces'] === 2 &&
    settings.etag === 'weak' &&
    settings['json replacer'] === undefined &&
    !settings['json escape']
  )
}

function asExpressWrites({ settings }: Request['app'], data: unknown): string {
  const text = JSON.stringify(data, settings['json replacer'], settings['json spaces'])
  if (!settings['json escape']) return text
  return text.replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)
}
