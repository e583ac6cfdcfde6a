import { useMemo } from 'preact/hooks'
import { isObject } from '../../json/record.ts'
import { type FieldSchema, fieldsOfSchema } from '../client/field-schema.ts'
import { pathOf } from '../client/query.ts'
import { isOk } from '../client/send.ts'
import { useResponse } from '../client/use-response.ts'

/**
 * What the server says of a resource's fields: asked for once there is a form to fill in. Nothing until it has said it, and where it does not
 * describe itself.
 */
export function useFieldSchemas(resource: string | undefined): readonly FieldSchema[] {
  const response = useResponse(resource === undefined ? undefined : `/__schema${pathOf(resource)}`, '')
  return useMemo(
    () => (response && isOk(response) && isObject(response.data) ? fieldsOfSchema(response.data) : []),
    [response],
  )
}
