import { useMemo } from 'preact/hooks'
import { isObject } from '../../json/values.ts'
import { type FieldSchema, fieldsOfSchema } from '../client/field-schema.ts'
import { pathOf } from '../client/query.ts'
import { isOk } from '../client/send.ts'
import { useAnswer } from '../client/use-response.ts'

/**
 * What the server says of a resource's fields: asked for once there is a form to fill in. Nothing until it has said it, and where it does not
 * describe itself.
 */
export function useFieldSchemas(resource: string | undefined): readonly FieldSchema[] {
  const answer = useAnswer(resource === undefined ? undefined : `/__schema${pathOf(resource)}`, '')
  return useMemo(
    () => (answer && isOk(answer) && isObject(answer.data) ? fieldsOfSchema(answer.data) : []),
    [answer],
  )
}
