type Schema = Readonly<Record<string, unknown>>

/** The keywords of a schema as JSON Schema 2020-12 has them, where drafts before it, or OpenAPI 3.0, had others. */
export function inNewWords(schema: Schema): Schema {
  return withTuple(withDependents(withNull(schema)))
}

function withNull({ nullable, ...schema }: Schema): Schema {
  return nullable === true && schema.type !== undefined
    ? { ...schema, type: [...new Set([schema.type, 'null'].flat())] }
    : schema
}

/** Draft 7 had a list of schemas as `items`. */
function withTuple({ additionalItems, ...schema }: Schema): Schema {
  const { items, ...rest } = schema
  if (!Array.isArray(items)) return schema
  return { ...rest, prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) }
}

/** Draft 7 had what a field requires, and what it asks of the others, in one keyword. */
function withDependents({ dependencies, ...schema }: Schema): Schema {
  if (typeof dependencies !== 'object' || dependencies === null) return schema
  const all = Object.entries(dependencies)
  const fields = all.filter(([, needed]) => Array.isArray(needed))
  const schemas = all.filter(([, needed]) => !Array.isArray(needed))
  return {
    ...schema,
    ...(fields.length > 0 && {
      dependentRequired: { ...Object(schema.dependentRequired), ...Object.fromEntries(fields) },
    }),
    ...(schemas.length > 0 && {
      dependentSchemas: { ...Object(schema.dependentSchemas), ...Object.fromEntries(schemas) },
    }),
  }
}
