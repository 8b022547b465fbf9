import { BlockList, isIP } from 'node:net'

/*
 * Addresses of this machine or its private network rather than the public internet (IANA's special-purpose registries).
 * A picture address from a stranger must not be one of them.
 */
const inside = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  inside.addSubnet(network, prefix, 'ipv4')
}
for (const [network, prefix] of [
  // Ranges that embed IPv4 addresses: mapped (which BlockList unwraps itself), compatible, translated, 6to4 and Teredo.
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const) {
  inside.addSubnet(network, prefix, 'ipv6')
}

/** Names that resolve internally: on this machine, the local link, or a company's network. */
const INSIDE_NAME = /^(localhost|.*\.(localhost|local|internal|intranet|lan|home|corp|home\.arpa))\.?$/

/**
 * Whether a host is internal judging by its text; names are not resolved. `new URL()` must have parsed the host (which
 * turns 2130706433 and 0x7f.1 into 127.0.0.1). A name without a dot is always internal.
 */
export function isInternalHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  const version = isIP(host)
  if (version !== 0) return inside.check(host, version === 6 ? 'ipv6' : 'ipv4')
  return !host.replace(/\.$/, '').includes('.') || INSIDE_NAME.test(host)
}

/**
 * The client that requests from an address count toward: the IPv4 address itself, or the first 64 bits of an IPv6 address,
 * because a client usually has that whole network.
 */
export function networkOf(ip: string): string {
  const address = ip.toLowerCase().replace(/%.*$/, '')
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1]
  if (mapped) return mapped
  const [head = '', tail] = address.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last]
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

/** Whether an address is one of these addresses or in one of these networks (`10.1.2.3`, `10.0.0.0/8`, `fd00::/8`). */
export function networksOf(list: readonly string[]): (ip: string) => boolean {
  const block = new BlockList()
  for (const network of list) {
    const [ip = '', bits] = network.split('/')
    const family = isIP(ip) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) block.addAddress(ip, family)
    else block.addSubnet(ip, Number(bits), family)
  }
  return (ip) => {
    const plain = ip.replace(/%.*$/, '')
    const version = isIP(plain)
    return version !== 0 && block.check(plain, version === 6 ? 'ipv6' : 'ipv4')
  }
}

/** An address for an inet column: without the zone of a link-local one (`fe80::1%eth0`). */
export function plainAddress(ip: string | undefined): string | null {
  const address = ip?.split('%')[0] ?? ''
  return isIP(address) === 0 ? null : address
}

/** The origin of a server. An IPv6 host has no brackets, as in Node's APIs. */
export function httpOrigin(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The host of a URL for Node's APIs: IPv6 without brackets. */
export const hostIn = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
