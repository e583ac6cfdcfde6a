import { StorageError } from '../../errors.ts'
import type { Work } from '../../work/in-slices.ts'
import { isEqual } from './is-equal.ts'
import type { Operation } from './operation.ts'
import { MissingPath, Patched, type Path } from './patched.ts'
import { isWithinPath, parsePointer } from './pointer.ts'

/**
 * Applies a JSON Patch (RFC 6902): all operations or none. Mutates neither the value nor the operations, since a commit
 * may apply them again. `__proto__` is a name like any other.
 */
export function* applyJsonPatch(value: unknown, operations: readonly Operation[]): Work<unknown> {
  const patched = yield* Patched.of(value)
  for (const [at, operation] of operations.entries()) {
    try {
      yield* apply(patched, operation)
    } catch (error) {
      throw explained(error, operation, at)
    }
    yield
  }
  return patched.root
}

function* apply(patched: Patched, operation: Operation): Work<void> {
  const { path, from } = pathsOf(operation)
  switch (operation.op) {
    case 'test':
      return yield* test(patched, path, operation.value)
    case 'add':
      return yield* patched.add(path, operation.value)
    case 'replace':
      return yield* patched.replace(path, operation.value)
    case 'remove':
      yield* patched.remove(path)
      return
    case 'copy':
      return yield* patched.copy(path, from ?? [])
    case 'move':
      return yield* move(patched, path, from ?? [])
  }
}

function* move(patched: Patched, path: Path, from: Path): Work<void> {
  if (!isWithinPath(path, from)) return yield* patched.move(path, from)
  if (path.length > from.length) throw invalid('nothing can be moved into itself')
  patched.read(from)
}

function* test(patched: Patched, path: Path, value: unknown): Work<void> {
  let found: unknown
  try {
    found = patched.read(path)
  } catch {
    throw new StorageError('PATCH_TEST_FAILED', 'there is nothing at this path')
  }
  if (yield* isEqual(value, found)) return
  throw new StorageError('PATCH_TEST_FAILED', 'the value there is another one')
}

interface Paths {
  readonly path: Path
  readonly from: Path | undefined
}

/** A patch of many rows parses its pointers once. */
const parsed = new WeakMap<Operation, Paths>()

function pathsOf(operation: Operation): Paths {
  const known = parsed.get(operation)
  if (known) return known
  const from = 'from' in operation ? parsePointer(operation.from) : undefined
  const paths = { path: parsePointer(operation.path), from }
  parsed.set(operation, paths)
  return paths
}

function invalid(message: string): StorageError {
  return new StorageError('INVALID_PATCH', message)
}

/** Names the operation that failed, on one line. */
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
