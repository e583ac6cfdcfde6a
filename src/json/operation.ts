import { isPointer } from './pointer.ts'
import { isRecord } from './record.ts'

export type Operation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly path: string; readonly from: string }

export const MOST_OPERATIONS = 1000

/** The operations of a patch document, or a sentence that says what is wrong with it. */
export function readOperations(document: readonly unknown[]): readonly Operation[] | string {
  const operations: Operation[] = []
  for (const [at, given] of document.entries()) {
    const operation = readOperation(given)
    if (typeof operation === 'string') return `Operation ${at + 1} of the patch ${operation}`
    operations.push(operation)
  }
  return operations
}

/** Drops members that the operation does not define, as the RFC says. */
function readOperation(given: unknown): Operation | string {
  if (!isRecord(given)) return 'must be an object, such as {"op":"replace","path":"/name","value":"Desk"}.'
  const { op, path, from, value } = given
  if (typeof path !== 'string') return 'needs a "path", such as "/name".'
  if (!isPointer(path)) return NO_POINTER('path')
  switch (op) {
    case 'add':
    case 'replace':
    case 'test':
      return Object.hasOwn(given, 'value') ? { op, path, value } : `needs a "value", since it is "${op}".`
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
