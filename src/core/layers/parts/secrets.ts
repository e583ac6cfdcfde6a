export const MASK = '***'

/**
 * Whether a field, parameter or header with this name usually holds a secret. Names are
 * judged word by word (`accessToken`, `access_token` and `X-Access-Token` are three words at most), so that `author`,
 * `secretary` and `tokens` (a count) are not secret. Nor is `sessionId`: with a collection `sessions`, it references
 * one of them.
 */
export function isSecretName(name: string): boolean {
  const cached = verdicts.get(name)
  if (cached !== undefined) return cached
  const isSecret = judge(wordsOf(name)) || judge(wordsOf(lastPart(name)))
  // Most names repeat; made-up ones must not pile up.
  if (verdicts.size >= MOST_JUDGED) verdicts.clear()
  if (name.length <= LONGEST_KEPT) verdicts.set(name, isSecret)
  return isSecret
}

/** The same for a URL parameter or a header: there, `key` is secret too, while in a row it hardly ever is. */
export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || /^(?:x[-_.]?)?key(?:\[\d*\])?$/i.test(name)
}

const verdicts = new Map<string, boolean>()
const MOST_JUDGED = 1000
const LONGEST_KEPT = 100

const ANYWHERE = /passw(?:or[dt]|d)|passphrase|passcode/
const ANY_WORD = /\b(?:\w*pwd|pw|secrets?|\w+secrets?|credentials?)\b/

/** Names that only describe a secret: `passwordChangedAt`, `secret_type`, `isPasswordRequired`. */
const ABOUT =
  /(?:less|\b(?:at|by|count|length|size|type|kind|policy|rules?|required|enabled|expired|expires|expiry|changed|updated|strength))$/

/** Secret as the last words of a name: `tokenType` and `token_count` reveal nothing. */
const LAST =
  /\b(?:\w*token|jwt|bearer|otp|signature|authorization|\w*(?:api|access|private|secret|auth|master|encryption|signing|shared|account|subscription|license|ssh) ?keys?)$/

/** Several tokens are a count, unless it is said what they are for. */
const TOKENS = /\b(?:access|refresh|auth|api|bearer|session|reset) ?tokens$/

/** `boardingPass` is not one: these are of a user or a program. */
const PASS =
  /\b(?:user|usr|admin|root|login|auth|account|client|server|db|database|sql|mysql|pg|redis|mail|email|smtp|imap|ftp|sftp|ssh|proxy|vpn|wifi|api|old|new|current|default|my) ?pass$|\bpass hash$/

const NO_SECRET_TOKEN = /\b(?:page|next|continuation|sync) token$/

const WHOLE =
  /^(?:auth|x auth|basic auth|pass|pw|sig|csrf|xsrf|cookie|set cookie|jsessionid|phpsessid|sessionid|connect sid)$/

function judge(words: string): boolean {
  if (WHOLE.test(words)) return true
  if (TOKENS.test(words) || PASS.test(words)) return true
  if (LAST.test(words)) return !NO_SECRET_TOKEN.test(words)
  // `passWord` is meant as one word.
  return (ANYWHERE.test(words.replaceAll(' ', '')) || ANY_WORD.test(words)) && !ABOUT.test(words)
}

/** `pass` in `user[pass]`, `user.pass` and `users[0].pass[]`. */
function lastPart(name: string): string {
  const parts = name.split(/[\s.[\]<>]+/).filter((part) => /\D/.test(part))
  return parts.at(-1) ?? ''
}

const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}]+|\d+/gu

/** Trailing numbers and query operators are ignored: `token_like`, `password2`, `token[0]`. */
const TAIL = /(?: (?:like|ne|gte|lte|\d+))+$/

function wordsOf(name: string): string {
  return (name.match(WORD) ?? []).join(' ').toLowerCase().replace(TAIL, '')
}
