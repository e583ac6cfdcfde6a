const NAMES: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
])

/** Tells the headers that are about one connection: those of HTTP, and those that `Connection` names. */
export function isHopByHop(raw: readonly string[]): (name: string) => boolean {
  let named: ReadonlySet<string> | undefined
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const value = raw[at + 1] ?? ''
    if (raw[at]?.length !== 10 || raw[at]?.toLowerCase() !== 'connection' || USUAL.test(value)) continue
    named = new Set([...(named ?? []), ...value.split(',').map((name) => name.trim().toLowerCase())])
  }
  return (name) => NAMES.has(name) || named?.has(name) === true
}

/** Nearly all connections say no more. */
const USUAL = /^(?:keep-alive|close)$/i
