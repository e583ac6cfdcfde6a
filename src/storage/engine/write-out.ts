import { Serializer } from '../json/serialize.ts'
import type { Engine } from './engine.ts'

export async function writeOut(engine: Engine): Promise<readonly Uint8Array[]> {
  await engine.catchUp()
  return new Serializer().serialize(engine.database)
}
