import * as z from 'zod'

/** A text that is not empty. `must` completes the sentence `"key" must be …`, here and below. */
export function text(must: string) {
  return z.string(must).min(1, must)
}

/** A list of such texts. */
export function texts(must: string) {
  return z.array(text(must), must)
}

/** A list of texts of one form. */
export function listOf(form: RegExp, must: string, mustEach: string) {
  return z.array(z.string(mustEach).regex(form, mustEach), must)
}

/** A whole number within bounds. */
export function whole(must: string, min: number, max = Number.MAX_SAFE_INTEGER) {
  return z.int(must).min(min, must).max(max, must)
}

/** A time that a timer can wait for. */
export function milliseconds(must: string) {
  return whole(must, 0, 2_147_483_647)
}

/** A setting that is on or off. */
export function toggle(description: string, standard = false) {
  return z
    .boolean('true or false')
    .optional()
    .meta({ description, default: standard, examples: [!standard] })
}
