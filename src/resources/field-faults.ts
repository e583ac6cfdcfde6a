import type { ErrorObject } from 'ajv'
import { isObject } from '../json/values.ts'
import type { FieldFault } from '../storage/resource-rules.ts'
import { MESSAGES, type Params } from './messages.ts'

/** What ajv found, as one fault per field, in words for people who fill in forms. Needs ajv's option `verbose`. */
export function fieldFaults(found: readonly ErrorObject[]): readonly FieldFault[] {
  const errors = found.slice(0, MOST_ERRORS)
  const hidden = new Set(errors.flatMap((error) => [...hiddenBy(error, errors)]))
  const faults = new Map<string, string>()
  for (const error of errors) {
    if (hidden.has(error)) continue
    for (const { path, message } of faultsOf(error, errors)) if (!faults.has(path)) faults.set(path, message)
  }
  return [...faults].map(([path, message]) => ({ path, message }))
}

/** Alternatives are looked up among all others. */
const MOST_ERRORS = 400

/** Errors that only tell why another one was found, and which that one tells better. */
function hiddenBy(error: ErrorObject, errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const { keyword, schemaPath } = error
  if (keyword === 'anyOf' || keyword === 'oneOf') return branchesOf(error, errors).flat()
  if (keyword === 'contains' || keyword === 'propertyNames') return within(schemaPath, errors)
  // The errors of `then` say more.
  if (keyword === 'if')
    return errors.some(({ schemaPath: other }) => /\/(?:then|else)\//.test(other)) ? [error] : []
  return []
}

function faultsOf(error: ErrorObject, errors: readonly ErrorObject[]): readonly FieldFault[] {
  if (error.keyword === 'anyOf' || (error.keyword === 'oneOf' && error.params.passingSchemas === null)) {
    return alternatives(error, errors)
  }
  return [{ path: pathOf(error), message: messageOf(error) }]
}

/** What is wrong with a value that has none of the allowed forms: with that form which it nearly has, if one can tell. */
function alternatives(error: ErrorObject, errors: readonly ErrorObject[]): readonly FieldFault[] {
  const branches = branchesOf(error, errors).filter((branch) => branch.length > 0)
  const isOfType = (branch: readonly ErrorObject[]) =>
    !branch.some(({ keyword, instancePath }) => keyword === 'type' && instancePath === error.instancePath)
  const near = branches.filter(isOfType)
  const [only] = near
  if (near.length === 1 && only) return fieldFaults(only)
  const types = branches.flatMap((branch) => branch.filter(({ keyword }) => keyword === 'type'))
  if (near.length === 0 && types.length === branches.length) {
    const type = types.flatMap(({ params }) => [params.type].flat())
    return [{ path: pathOf(error), message: MESSAGES.type?.({ type }) ?? '' }]
  }
  return [{ path: pathOf(error), message: messageOf(error) }]
}

/** The errors of each branch, also where it stands elsewhere. */
function branchesOf(error: ErrorObject, errors: readonly ErrorObject[]): readonly (readonly ErrorObject[])[] {
  const branches: readonly unknown[] = Array.isArray(error.schema) ? error.schema : []
  return branches.map((branch, at) => {
    const own = within(`${error.schemaPath}/${at}`, errors)
    const elsewhere = isObject(branch) && typeof branch.$ref === 'string' ? within(branch.$ref, errors) : []
    return [...own, ...elsewhere].filter(({ instancePath }) => instancePath.startsWith(error.instancePath))
  })
}

function within(schemaPath: string, errors: readonly ErrorObject[]): readonly ErrorObject[] {
  return errors.filter((error) => error.schemaPath.startsWith(`${schemaPath}/`))
}

/** `/locations/0/city` as `locations.0.city`, with the field that is missing, or not known. */
function pathOf({ instancePath, params }: ErrorObject): string {
  const steps = instancePath.split('/').slice(1)
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const name: unknown =
    params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName
  return [...names, ...(typeof name === 'string' ? [name] : [])].join('.')
}

function messageOf({ keyword, params, message }: ErrorObject): string {
  const known: Params = params
  return MESSAGES[keyword]?.(known) ?? message ?? 'is not valid'
}
