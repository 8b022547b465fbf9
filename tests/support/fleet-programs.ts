import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#server/platform/net/port.ts'

/* HAProxy and PgBouncer, as docs/scaling.md shows them. */

const SBIN = ['/usr/sbin', '/usr/local/sbin']
const NOBODY = 65_534
const UP_MS = 10_000

/** The programs that this drill needs besides ours; undefined if one is missing. */
export function findPrograms(): { haproxy: string; pgbouncer: string } | undefined {
  const find = (name: string) => {
    const path = [process.env.PATH, ...SBIN].join(':')
    const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], {
      env: { PATH: path },
      encoding: 'utf8',
    })
    return stdout.trim()
  }
  const [haproxy, pgbouncer] = [find('haproxy'), find('pgbouncer')]
  return haproxy && pgbouncer ? { haproxy, pgbouncer } : undefined
}

export type Server = {
  readonly port: number
  start(): Promise<void>
  kill(signal: NodeJS.Signals): Promise<void>
}

/** A program that serves a port, started again on the same one after it was killed. */
function serverOf(command: string, args: readonly string[], port: number): Server {
  let child: ChildProcess | undefined
  return {
    port,
    async start() {
      // PgBouncer refuses to run as root.
      const ids = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
      child = spawn(command, args, { ...ids, stdio: ['ignore', 'ignore', 'inherit'] })
      for (const deadline = Date.now() + UP_MS; !(await isOpen(port)); await sleep(50)) {
        if (Date.now() > deadline) throw new Error(`${command} did not start`)
      }
    },
    async kill(signal) {
      const ending = child
      if (ending?.exitCode !== null || ending.signalCode !== null) return
      const gone = new Promise((resolve) => ending.once('exit', resolve))
      ending.kill(signal)
      await gone
    },
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

export async function pooler(command: string, { dir, url }: { dir: string; url: URL }): Promise<Server> {
  const port = await freePort('127.0.0.1')
  const { username, password } = url
  await writeFile(join(dir, 'users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`, {
    mode: 0o644,
  })
  const settings = `[databases]
* = host=127.0.0.1 port=${url.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(dir, 'users.txt')}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
server_login_retry = 2
logfile = ${join(dir, 'pgbouncer.log')}
`
  await writeFile(join(dir, 'pgbouncer.ini'), settings, { mode: 0o644 })
  return serverOf(command, ['--quiet', join(dir, 'pgbouncer.ini')], port)
}

export async function proxy(
  command: string,
  { dir, ports }: { dir: string; ports: readonly number[] },
): Promise<Server> {
  const port = await freePort('127.0.0.1')
  const settings = `global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 3s
  option redispatch
  retries 3
  retry-on conn-failure
listen site
  bind 127.0.0.1:${port}
  balance leastconn
  option httpchk GET /readyz
${ports.map((api, at) => `  server api${at} 127.0.0.1:${api} check inter 1s fall 3 rise 1`).join('\n')}
`
  await writeFile(join(dir, 'haproxy.cfg'), settings, { mode: 0o644 })
  return serverOf(command, ['-db', '-q', '-f', join(dir, 'haproxy.cfg')], port)
}
