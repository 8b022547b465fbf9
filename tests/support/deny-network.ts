import { Socket } from 'node:net'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** What a connection is opened to, or undefined for a path in the file system (a local socket). */
function hostOf(args: unknown[]): string | undefined {
  // net passes its normalised arguments as one array; everyone else passes options, or port and host.
  const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args
  if (typeof first === 'object' && first !== null) {
    const { path, host } = first as { path?: string | null; host?: string }
    return path ? undefined : (host ?? 'localhost')
  }
  if (typeof first === 'string' && Number.isNaN(Number(first))) return undefined
  return typeof second === 'string' ? second : 'localhost'
}

// A test that needs the internet passes today and fails on a train. Every TCP and TLS connection of Node
// (http, fetch, pg, SMTP) goes through this one method, so refusing here refuses all of them.
const connect = Socket.prototype.connect as (this: Socket, ...args: unknown[]) => Socket
Socket.prototype.connect = function denyOutgoing(this: Socket, ...args: unknown[]): Socket {
  const host = hostOf(args)
  if (host !== undefined && !LOOPBACK.has(host)) {
    throw new Error(`Tests may not reach the network: a connection to ${host} was refused`)
  }
  return connect.apply(this, args)
} as typeof Socket.prototype.connect
