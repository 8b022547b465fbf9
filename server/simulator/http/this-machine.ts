import { BlockList } from 'node:net'
import type { Exchange } from './exchange.ts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/**
 * Whether a request comes from this machine and knows it by a name of its own. A foreign page whose name was made to lead
 * here could otherwise ask in the browser of whoever tries the product out, and everyone knows the key.
 */
export function isFromThisMachine({ from, headers }: Exchange): boolean {
  const address = from.replace(/^::ffff:/, '')
  const isNear = loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
  return isNear && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(headers.host ?? '')
}
