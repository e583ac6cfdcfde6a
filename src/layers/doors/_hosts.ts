import { isIP } from 'node:net'

/**
 * Whether a Host header names this machine, an IP address or one of these names. With DNS rebinding, a page on the
 * internet reaches a server on this machine under the page's own name; never under these.
 * @param names `app.test`, or `.example.com` for that domain and its subdomains
 */
export function knownHosts(names: readonly string[]): (authority: string) => boolean {
  const known = names.map((name) => name.toLowerCase())
  return (authority) => {
    const host = hostIn(authority)
    if (host === undefined) return false
    const isListed = (name: string) => (name.startsWith('.') ? isBelow(host, name.slice(1)) : host === name)
    return isIP(host) !== 0 || isBelow(host, 'localhost') || known.some(isListed)
  }
}

/** Without port, brackets and trailing dot, in lower case. */
function hostIn(authority: string): string | undefined {
  const [, address, name] =
    /^(?:\[([\da-f:.]+)\]|([\w-]+(?:\.[\w-]+)*)\.?)(?::\d{0,5})?$/i.exec(authority) ?? []
  return (address ?? name)?.toLowerCase()
}

function isBelow(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}
