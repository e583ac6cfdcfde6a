/** What stands in the place of a secret. */
export const MASK = '***'

/**
 * Whether a field, parameter or header of this name usually holds something that only its owner should see. Names are
 * judged word by word (`accessToken`, `access_token` and `X-Access-Token` are three words at most), so that `author`,
 * `secretary` and `tokens`, a count, are none. So is `sessionId`: where there is a collection `sessions` it points at
 * one of them.
 */
export function isSecretName(name: string): boolean {
  const known = judged.get(name)
  if (known !== undefined) return known
  const isSecret = judge(wordsOf(name)) || judge(wordsOf(lastPart(name)))
  // Most names come again and again; those that somebody makes up must not pile up.
  if (judged.size >= MOST_JUDGED) judged.clear()
  if (name.length <= LONGEST_KEPT) judged.set(name, isSecret)
  return isSecret
}

/** The same of a parameter in a URL, or of a header: there `key` is one as well, in a row it is hardly ever. */
export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || /^(?:x[-_.]?)?key(?:\[\d*\])?$/i.test(name)
}

const judged = new Map<string, boolean>()
const MOST_JUDGED = 1000
const LONGEST_KEPT = 100

/** In whichever place of a name they stand. */
const ANYWHERE = /passw(?:or[dt]|d)|passphrase|passcode/
const ANY_WORD = /\b(?:\w*pwd|secrets?|\w+secret|credentials?)\b/

/** What ends a name that only tells about a secret: `passwordChangedAt`, `secret_type`, `isPasswordRequired`. */
const ABOUT =
  /(?:less|\b(?:at|by|count|length|size|type|kind|policy|rules?|required|enabled|expired|expires|expiry|changed|updated|strength))$/

/** The last words of a name: `tokenType` and `token_count` are not about to give one away. */
const LAST =
  /\b(?:\w*token|jwt|bearer|otp|signature|authorization|\w*(?:api|access|private|secret|auth|master|encryption|signing|shared|account|subscription|license) ?key)$/

/** These tell where to go on in a list. */
const NO_SECRET_TOKEN = /\b(?:page|next|continuation|sync) token$/

const WHOLE =
  /^(?:auth|x auth|basic auth|pass|pw|sig|csrf|xsrf|cookie|set cookie|jsessionid|phpsessid|sessionid|connect sid)$/

function judge(words: string): boolean {
  if (WHOLE.test(words)) return true
  if (LAST.test(words)) return !NO_SECRET_TOKEN.test(words)
  // `passWord` is one word to whoever wrote it.
  return (ANYWHERE.test(words.replaceAll(' ', '')) || ANY_WORD.test(words)) && !ABOUT.test(words)
}

/** `pass` of `user[pass]`, `user.pass` and `users[0].pass[]`. */
function lastPart(name: string): string {
  const parts = name.split(/[\s.[\]<>]+/).filter((part) => /\D/.test(part))
  return parts.at(-1) ?? ''
}

const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}]+|\d+/gu

/** Numbers at the end count for nothing, nor do the operators of a query: `token_like`, `password2`, `token[0]`. */
const TAIL = /(?: (?:like|ne|gte|lte|\d+))+$/

/** The words of a name in lower case, with spaces between them. */
function wordsOf(name: string): string {
  return (name.match(WORD) ?? []).join(' ').toLowerCase().replace(TAIL, '')
}
