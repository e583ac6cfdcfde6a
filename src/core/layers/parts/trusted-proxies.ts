import { BlockList, isIP, isIPv6 } from 'node:net'

export const PROXY = /^[\da-f:.]+(?:\/\d{1,3})?$/i

export function isProxy(entry: string): boolean {
  const { address, bits, most } = parse(entry)
  return isIP(address) !== 0 && bits <= most
}

/** For Express: whether a proxy's `X-Forwarded-For` is believed. `listed` may change. */
export function trustProxies(listed: () => readonly string[] | undefined): (address: string) => boolean {
  let parsed: readonly string[] | undefined
  let list = new BlockList()
  return (address) => {
    const now = listed()
    if (now === undefined || isIP(address) === 0) return false
    if (now !== parsed) list = listOf(now)
    parsed = now
    return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
}

function listOf(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const { address, bits } = parse(entry)
    list.addSubnet(address, bits, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return list
}

function parse(entry: string) {
  const [address = '', prefix] = entry.split('/')
  const most = isIPv6(address) ? 128 : 32
  return { address, most, bits: prefix === undefined ? most : Number(prefix) }
}
