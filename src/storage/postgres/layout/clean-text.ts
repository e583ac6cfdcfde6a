/** Characters of a text that are kept beside its row: entries of an index have to be short. */
export const MOST_CHARACTERS = 200

/** NUL, and halves of surrogate pairs: PostgreSQL stores neither. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu
const UNCLEAN = /[\0\ufffd\p{Surrogate}]/u
/** From here on, UTF-8 and UTF-16 sort differently. */
const WIDE = /[\ud800-\uffff]/

/** A text as it can be stored. Different texts may become the same: what is found by one has to be compared again. */
export function clean(text: string): string {
  return text.replace(UNSTORABLE, '\ufffd')
}

/** Whether a text is stored as it is, and nothing else is stored as the same. */
export function isClean(text: string): boolean {
  return !UNCLEAN.test(text)
}

/** Whether texts that have only characters like these sort in PostgreSQL as they do in JavaScript. */
export function isNarrow(text: string): boolean {
  return !WIDE.test(text)
}

/** The beginning of a text, as it is stored. */
export function beginning(text: string): string {
  return clean(text.slice(0, MOST_CHARACTERS))
}
