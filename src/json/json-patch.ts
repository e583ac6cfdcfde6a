import { StorageError } from '../catalogue/error-classes.ts'
import { Pace } from '../util/pace.ts'
import { isSameJson } from './is-same-json.ts'
import type { Operation } from './operation.ts'
import { MissingPath, Patched, type Path } from './patched.ts'
import { isWithinPath, parsePointer } from './pointer.ts'

/** Applies a JSON Patch (RFC 6902): all operations or none. Mutates neither, since a commit may apply them again. */
export async function applyJsonPatch(value: unknown, operations: readonly Operation[]): Promise<unknown> {
  const patched = new Patched(value)
  const pace = new Pace()
  for (const [at, operation] of operations.entries()) {
    try {
      apply(patched, operation)
    } catch (error) {
      throw explained(error, operation, at)
    }
    if (pace.isDue) await pace.turn()
  }
  return patched.finish()
}

function apply(patched: Patched, operation: Operation): void {
  const path = parsePointer(operation.path)
  const { op } = operation
  if (op === 'remove') patched.remove(path)
  else if (op === 'copy') patched.copy(path, parsePointer(operation.from))
  else if (op === 'move') move(patched, path, parsePointer(operation.from))
  else if (op === 'test') test(patched, path, operation.value)
  else if (op === 'add') patched.add(path, operation.value)
  else if (op === 'replace') patched.replace(path, operation.value)
}

function move(patched: Patched, path: Path, from: Path): void {
  if (!isWithinPath(path, from)) patched.move(path, from)
  else if (path.length > from.length) throw invalid('nothing can be moved into itself')
  else patched.read(from)
}

function test(patched: Patched, path: Path, value: unknown): void {
  let found: unknown
  try {
    found = patched.read(path)
  } catch {
    throw new StorageError('PATCH_TEST_FAILED', 'there is nothing at this path')
  }
  if (isSameJson(value, found)) return
  throw new StorageError('PATCH_TEST_FAILED', 'the value there is another one')
}

function invalid(message: string): StorageError {
  return new StorageError('INVALID_PATCH', message)
}

function explained(error: unknown, operation: Operation, at: number): unknown {
  const missing = error instanceof MissingPath ? invalid('there is no such path in the item') : error
  if (!(missing instanceof StorageError) || missing.code === 'BODY_TOO_LARGE') return missing
  const from = 'from' in operation ? `${brief(operation.from)} to ` : ''
  const what = `Operation ${at + 1} (${operation.op} ${from}${brief(operation.path)})`
  return new StorageError(missing.code, `${what} failed: ${missing.message}. Nothing was changed.`)
}

function brief(path: string): string {
  if (path === '') return '""'
  return path.length > 100 ? `${path.slice(0, 100)}…` : path
}
