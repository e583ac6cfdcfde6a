import type { Request } from 'express'
import { isFormBody } from '../../layers/body-parser.ts'
import type { WriteOptions } from '../../storage/change.ts'

/** Which fields are text only because they came in a form, or in the path. A schema may want numbers of them. */
export function textsOf(
  req: Request,
  ...names: readonly (string | undefined)[]
): Pick<WriteOptions, 'texts'> {
  if (isFormBody(req)) return { texts: 'all' }
  const fields = names.filter((name) => name !== undefined)
  return fields.length > 0 ? { texts: fields } : {}
}
