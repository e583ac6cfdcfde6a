const NAMES = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
]

/** Tells the headers that are about one connection: those of HTTP, and those that `Connection` names. */
export function isHopByHop(raw: readonly string[]): (name: string) => boolean {
  const names = new Set(NAMES)
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (raw[at]?.toLowerCase() !== 'connection') continue
    for (const name of raw[at + 1]?.split(',') ?? []) names.add(name.trim().toLowerCase())
  }
  return (name) => names.has(name)
}
