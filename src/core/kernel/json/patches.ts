import { StorageError } from '../catalogue/error-classes.ts'
import { TimeSlice } from '../util/pace.ts'
import { isPointer, Patched, type Pointer, parsePointer } from './apply-operations.ts'
import { checkSize } from './limits.ts'
import { isRecord, isSameJson, setField } from './values.ts'

/** RFC 6902: all operations or none. Mutates neither argument, since a commit may apply them again. */
export async function applyJsonPatch(
  value: unknown,
  operations: readonly PatchOperation[],
): Promise<unknown> {
  const patched = new Patched(value)
  const pace = new TimeSlice()
  for (const [at, operation] of operations.entries()) {
    try {
      apply(patched, operation)
    } catch (error) {
      throw explained(error, operation, at)
    }
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  return patched.finish()
}

/** RFC 7396. Mutates neither argument. */
export async function applyMergePatch(value: unknown, patch: unknown): Promise<unknown> {
  const pace = new TimeSlice()
  const merged = merge(value, patch)
  if (pace.isUsedUp) await pace.yieldToEventLoop()
  checkSize(merged)
  if (pace.isUsedUp) await pace.yieldToEventLoop()
  return merged
}

function merge(value: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch
  const merged = isRecord(value) ? { ...value } : {}
  for (const name of Object.keys(patch)) {
    const part = patch[name]
    if (part === null) delete merged[name]
    else setField(merged, name, merge(Object.hasOwn(merged, name) ? merged[name] : undefined, part))
  }
  return merged
}

function apply(patched: Patched, operation: PatchOperation): void {
  const path = parsePointer(operation.path)
  const { op } = operation
  if (op === 'remove') patched.remove(path)
  else if (op === 'copy') patched.copy(path, parsePointer(operation.from))
  else if (op === 'move') patched.move(path, parsePointer(operation.from))
  else if (op === 'test') test(patched, path, operation.value)
  else if (op === 'add') patched.add(path, operation.value)
  else if (op === 'replace') patched.replace(path, operation.value)
}

function test(patched: Patched, path: Pointer, value: unknown): void {
  let current: unknown
  try {
    current = patched.read(path)
  } catch {
    throw new StorageError('PATCH_TEST_FAILED', 'there is nothing at this path')
  }
  if (isSameJson(value, current)) return
  throw new StorageError('PATCH_TEST_FAILED', 'the value there is another one')
}

function explained(error: unknown, operation: PatchOperation, at: number): unknown {
  if (!(error instanceof StorageError) || error.code === 'BODY_TOO_LARGE') return error
  const from = 'from' in operation ? `${brief(operation.from)} to ` : ''
  const what = `Operation ${at + 1} (${operation.op} ${from}${brief(operation.path)})`
  return new StorageError(error.code, `${what} failed: ${error.message}. Nothing was changed.`)
}

function brief(path: string): string {
  if (path === '') return '""'
  return path.length > 100 ? `${path.slice(0, 100)}…` : path
}

export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly path: string; readonly from: string }

export const MOST_OPERATIONS = 1000

/** The operations, or a sentence about what is wrong. */
export function readOperations(document: readonly unknown[]): readonly PatchOperation[] | string {
  const operations: PatchOperation[] = []
  for (const [at, member] of document.entries()) {
    const operation = readOperation(member)
    if (typeof operation === 'string') return `Operation ${at + 1} of the patch ${operation}`
    operations.push(operation)
  }
  return operations
}

/** Drops undefined members, as the RFC says. */
function readOperation(member: unknown): PatchOperation | string {
  if (!isRecord(member)) return 'must be an object, such as {"op":"replace","path":"/name","value":"Desk"}.'
  const { op, path, from, value } = member
  if (typeof path !== 'string') return 'needs a "path", such as "/name".'
  if (!isPointer(path)) return NO_POINTER('path')
  switch (op) {
    case 'add':
    case 'replace':
    case 'test':
      return Object.hasOwn(member, 'value') ? { op, path, value } : `needs a "value", since it is "${op}".`
    case 'remove':
      return { op, path }
    case 'move':
    case 'copy':
      if (typeof from !== 'string')
        return `needs "from", since it is "${op}": the path to take the value from.`
      return isPointer(from) ? { op, path, from } : NO_POINTER('from')
    default:
      return 'must have an "op" of add, remove, replace, move, copy or test.'
  }
}

const NO_POINTER = (member: string): string =>
  `has a "${member}" that is not a JSON Pointer, or longer than 64 KB: start it with "/", and write ~0 for "~" and ~1 for "/".`
