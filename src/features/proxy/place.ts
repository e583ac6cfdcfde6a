import type { Request } from 'express'
import type { Engine } from '../../core/engine/engine.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { findTarget, isCollectionName, servedName } from '../../core/router/target.ts'
import type { Mode } from './settings.ts'

/** The goal of a path, as far as that decides who answers. */
export interface Place {
  /** The collection or object that it ends in, whether it is here or not. */
  readonly resource: string | undefined
  readonly isHere: boolean
  /** Of a row. */
  readonly id: string | undefined
}

/** A part of a path that is an id, whatever the rows are: a number, a UUID, a ULID or an ObjectId. */
const ID =
  /^(?:\d+|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|[\da-f]{24}|[0-7][\da-hjkmnp-tv-z]{25})$/i

export function isIdPart(part: string): boolean {
  return ID.test(part)
}

/** A path is here where its collection is and, if it is nested, its parent too. */
export function placeOf({ path }: Request, engine: Engine): Place {
  const target = attempt(() => findTarget(engine, path))
  if (!target) {
    const name = path.split('/').findLast((part) => part !== '' && !isIdPart(part))
    const resource = name === undefined ? undefined : (servedName(engine, name) ?? name)
    return { resource, isHere: false, id: undefined }
  }
  const { name, parent } = target
  const isHere = parent === undefined || isCollectionName(engine, parent.name)
  return { resource: name, isHere, id: target.kind === 'item' ? target.id : undefined }
}

/** Who answers. @param isRecorded whether the resource was not here before the first recording */
export function answersFrom(mode: Mode, isHere: boolean, isRecorded: boolean): 'data' | 'api' {
  if (mode === 'local') return 'data'
  if (mode === 'through') return 'api'
  if (mode === 'record') return isHere && !isRecorded ? 'data' : 'api'
  return isHere ? 'data' : 'api'
}
