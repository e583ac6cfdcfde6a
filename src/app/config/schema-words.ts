import * as z from 'zod'

/** A non-empty string. `must` completes the sentence `"key" must be …`, here and below. */
export function text(must: string) {
  return z.string(must).min(1, must)
}

export function texts(must: string) {
  return z.array(text(must), must)
}

export function folders() {
  const must = 'the path of a folder, or a list of such'
  return z.union([text(must), texts('the path of a folder')], must)
}

export function listOf(form: RegExp, must: string, mustEach: string) {
  return z.array(z.string(mustEach).regex(form, mustEach), must)
}

export function whole(must: string, min: number, max = Number.MAX_SAFE_INTEGER) {
  return z.int(must).min(min, must).max(max, must)
}

/** A duration that a timer can handle. */
export function milliseconds(must: string) {
  return whole(must, 0, 2_147_483_647)
}

export function toggle(description: string, standard = false) {
  return z
    .boolean('true or false')
    .optional()
    .meta({ description, default: standard, examples: [!standard] })
}
