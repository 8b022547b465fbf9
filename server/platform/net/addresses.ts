import { BlockList, isIP } from 'node:net'

/*
 * Addresses that lead to this machine or into the network it stands in, never to somebody out on the internet: what a
 * stranger names as the address of a picture must not be one of them (IANA's special-purpose registries).
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
  // Also written as an IPv4 address: mapped (which BlockList unwraps itself), compatible, translated, 6to4 and Teredo.
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

/** Names that are answered inside: of this machine, of the local link, of a company's own network. */
const INSIDE_NAME = /^(localhost|.*\.(localhost|local|internal|intranet|lan|home|corp|home\.arpa))\.?$/

/**
 * Whether a host, as `new URL()` reads it (which turns 2130706433 and 0x7f.1 into 127.0.0.1), lies inside by what is
 * written there; a name is not looked up. A name without a dot exists inside only.
 */
export function isInsideHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  const version = isIP(host)
  if (version !== 0) return inside.check(host, version === 6 ? 'ipv6' : 'ipv4')
  return !host.replace(/\.$/, '').includes('.') || INSIDE_NAME.test(host)
}

/**
 * Whom an address stands for when requests are counted: an IPv4 address itself; of IPv6 the first 64 bits, since whoever
 * has one such address has the whole network.
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

/** An address as a column of type inet takes it: without the zone of a link-local one (`fe80::1%eth0`). */
export function plainAddress(ip: string | undefined): string | null {
  const address = ip?.split('%')[0] ?? ''
  return isIP(address) === 0 ? null : address
}

/** The origin of a server on this host and port; a host as Node takes it, so an IPv6 address gets its brackets here. */
export function httpOrigin(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The host of an address, as Node takes it: an IPv6 one without its brackets. */
export const hostIn = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
