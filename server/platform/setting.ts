import { BlockList, isIP } from 'node:net'
import { z } from 'zod'

/*
 * Formats of settings. Every format is optional and has one message ("must be …") that never repeats the value, which
 * could be a secret, even one put into the wrong variable.
 */

export function choice<const T extends readonly string[]>(...values: T) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` }).optional()
}

export function text(min: number, max: number) {
  return check((value) => value.length >= min && value.length <= max, `must be ${min} to ${max} characters`)
}

export function check(isRight: (value: string) => boolean, message: string) {
  return z.string().refine(isRight, message).optional()
}

export function wholeNumber(min: number, max: number) {
  const fits = (value: string) => /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max
  return z.string().refine(fits, `must be a whole number from ${min} to ${max}`).transform(Number).optional()
}

/** A URL with one of these protocols and a host. */
export function address(...protocols: readonly `${string}:`[]) {
  const isAddress = (value: string) => {
    const url = URL.parse(value)
    return url !== null && protocols.some((protocol) => protocol === url.protocol) && url.host !== ''
  }
  return check(
    isAddress,
    `must be an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  )
}

/** An http(s) URL without a path; a trailing slash is removed. */
export function origin() {
  return z
    .string()
    .transform((value) => value.replace(/\/$/, ''))
    .refine(isOrigin, 'must be an address without a path, such as https://parts.example')
    .optional()
}

/** Values separated by commas. */
export function list(isRight: (value: string) => boolean, message: string) {
  return z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .transform((parts) => parts.filter((part) => part !== ''))
    .refine((parts) => parts.every(isRight), message)
    .optional()
}

export function isOrigin(value: string): boolean {
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === value
}

/** An address that a server can listen on. */
export function isHost(value: string): boolean {
  return value === 'localhost' || isIP(value) !== 0
}

/** `10.1.2.3`, `10.0.0.0/8`, `fd00::/8` */
export function isNetwork(value: string): boolean {
  const [ip = '', bits, ...rest] = value.split('/')
  const version = isIP(ip)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32))
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

export function isLoopback(host: string): boolean {
  return host === 'localhost' || loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4')
}
