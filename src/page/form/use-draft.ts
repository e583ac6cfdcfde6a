import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { isObject } from '../../core/kernel/json/values.ts'
import type { FieldSchema } from '../client/field-schema.ts'
import { type ApiResponse, isOk } from '../client/send.ts'
import { idField } from '../client/service.ts'
import { setUnsaved } from '../client/unsaved.ts'
import type { Row } from '../data/rows.ts'
import { type FormField, fieldsOfRow, newFields } from './form-fields.ts'
import { applyChanges, changesBetween, fieldsFromJson, jsonFromFields, readRow } from './row-changes.ts'

interface DraftOptions {
  readonly resource: string
  /** The row as it is now; undefined for a new one. */
  readonly current: ApiResponse | undefined
  /** Of a new row: one with the fields it starts with. */
  readonly example: Row
  readonly schemas: readonly FieldSchema[]
  /** Whether its id cannot be changed: a single object has none. */
  readonly hasId: boolean
}

/** The input of a form, as fields or as JSON, and the version of the row it started from. */
export function useDraft({ resource, current, example, schemas, hasId }: DraftOptions) {
  const [base, setBase] = useState(current)
  const [isJson, setJsonShown] = useState(false)
  // By name: the schema may arrive later, and bring more fields.
  const [typed, setTyped] = useState<ReadonlyMap<string, FormField>>(new Map())
  const [typedJson, setTypedJson] = useState<string>()
  const [fault, setFault] = useState<string>()

  const row = rowOf(base)
  const initial = base
    ? fieldsOfRow(row, schemas, hasId ? idField(resource) : undefined)
    : newFields(example, schemas, idField(resource))
  const initialText = new Map(initial.map(({ name, text }) => [name, text]))
  const fields = [
    ...initial.map((field) => ({ ...field, ...typed.get(field.name), initial: field.initial })),
    ...[...typed.values()].filter(({ name }) => !initialText.has(name)),
  ]
  const initialJson = base ? base.text : (jsonFromFields(initial, '{}').json ?? '{\n  \n}')
  const json = typedJson ?? initialJson
  const isForm = !isJson && fields.length > 0
  const isMine = ({ name, text }: FormField) => text !== (initialText.get(name) ?? '')
  const isDirty = isForm ? fields.some(isMine) : json !== initialJson

  const isNewer = base !== undefined && current !== undefined && isOk(current) && current.text !== base.text
  const readOnly = new Set(schemas.filter(({ isReadOnly }) => isReadOnly).map(({ name }) => name))
  const changes = isNewer ? changesBetween(row, rowOf(current)) : []
  const conflicts = isDirty ? changes.filter(({ name }) => !readOnly.has(name)) : []
  useEffect(() => {
    if (isNewer && conflicts.length === 0) setBase(current)
  }, [isNewer, conflicts.length, current])

  // Before the next key is pressed, which may be Escape.
  useLayoutEffect(() => {
    setUnsaved(isDirty)
    return () => setUnsaved(false)
  }, [isDirty])

  return {
    base,
    fields,
    json,
    isForm,
    isDirty,
    fault,
    setFault,
    type: (field: FormField) => setTyped(new Map([...typed, [field.name, field]])),
    typeJson: setTypedJson,
    /** Changes by another client since then, if the user has changed something, too. */
    conflicts,
    isMine: (name: string) => isForm && fields.some((field) => field.name === name && isMine(field)),

    /** Switches between form and JSON with what was typed. */
    show(asForm: boolean): void {
      if (asForm === isForm) return
      const converted = asForm
        ? fieldsFromJson(json, fields, idField(resource))
        : jsonFromFields(fields, initialJson)
      setFault(converted.fault)
      if (converted.fault !== undefined) return
      if (converted.fields) setTyped(new Map(converted.fields.map((field) => [field.name, field])))
      setTypedJson(converted.json)
      setJsonShown(!asForm)
    },

    /** Goes on with the user's changes, to be saved over the newer version. */
    keepMine: () => setBase(current),

    /** Goes on with the newer version, and with what the user changed in other fields. */
    takeTheirs(): void {
      const read = isForm ? undefined : readRow(json)
      setFault(read?.fault)
      if (read?.fault !== undefined) return
      const theirs = new Set(changes.map(({ name }) => name))
      setTyped(new Map([...typed].filter(([name]) => !theirs.has(name))))
      setTypedJson(read && JSON.stringify(applyChanges(read.row, changes), null, 2))
      setBase(current)
    },
  }
}

function rowOf(response: ApiResponse | undefined): Row {
  return isObject(response?.data) ? response.data : {}
}
