import { StorageError } from '../../errors.ts'

/** Throws if anything is wrong with the fields that a client sent: by name, what, as the end of a sentence. */
export function refuseFields(faults: Readonly<Record<string, string | undefined>>): void {
  const wrong = Object.entries(faults).filter((fault): fault is [string, string] => fault[1] !== undefined)
  if (wrong.length === 0) return
  const sentences = wrong.map(([name, fault]) => `${name} ${fault}`).join('; ')
  throw new StorageError('VALIDATION_FAILED', `${sentences}. Nothing was changed.`, {
    errors: Object.fromEntries(wrong),
  })
}
