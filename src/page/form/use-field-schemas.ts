import { useMemo } from 'preact/hooks'
import { isObject } from '../../core/kernel/json/values.ts'
import { type FieldSchema, fieldsOfSchema } from '../client/field-schema.ts'
import { pathOf } from '../client/query.ts'
import { isOk } from '../client/send.ts'
import { useResponse } from '../client/use-response.ts'

/** Undefined until the server has responded. Empty if it does not describe the fields, or for no resource. */
export function useFieldSchemas(resource: string | undefined): readonly FieldSchema[] | undefined {
  const response = useResponse(resource === undefined ? undefined : `/__schema${pathOf(resource)}`, '')
  return useMemo(() => {
    if (!response) return undefined
    return isOk(response) && isObject(response.data) ? fieldsOfSchema(response.data) : []
  }, [response])
}
