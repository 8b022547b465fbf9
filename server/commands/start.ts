import { join } from 'node:path'
import { type Config, environmentWith, onPort, settingsOf, startedByNpm } from '#server/config.ts'
import { demoSignIns } from '#server/features/running/demo/demo-sign-ins.ts'
import {
  type SupervisedPostgres,
  superviseEmbeddedPostgres,
} from '#server/platform/embedded-postgres/embedded-postgres.ts'
import type { Log } from '#server/platform/log.ts'
import { httpOrigin } from '#server/platform/net/addresses.ts'
import { type HeldPort, holdPort } from '#server/platform/net/port.ts'
import { listenForStop, whenParentIsGone } from '#server/platform/processes/run-until-stopped.ts'
import { NODE_SETTINGS, SupervisedChild } from '#server/platform/processes/supervised-child.ts'
import { buildWebIfChanged } from './web-build.ts'

const LAST_PORT = 65_535

/**
 * Adds a port for test payments to the config and reserves it until the simulator starts. It is the web app's port plus
 * one, or any free port if that is taken, so that links in open tabs usually still work after a restart.
 */
async function withSimulatorPort(config: Config): Promise<Pick<HeldPort, 'release'> & { config: Config }> {
  const { payments, host, port } = config
  if (payments.kind !== 'simulator') return { config, release: async () => undefined }
  const wanted = port < LAST_PORT ? port + 1 : 0
  const held = await holdPort(wanted, host).catch(() => holdPort(0, host))
  const url = httpOrigin(host, held.port)
  return { config: { ...config, payments: { ...payments, url } }, release: held.release }
}

const PROGRAM = join(import.meta.dirname, '../main.ts')

/** What has been started so far and must be stopped. */
type Running = {
  readonly children: SupervisedChild[]
  embedded: Promise<SupervisedPostgres> | undefined
}

/**
 * Runs everything in one terminal: database, web build, migrations, demo data, then `api`, `worker` and, for test
 * payments, `simulator` as supervised processes. However this process ends, its children end with it.
 */
export async function start(config: Config, log: Log): Promise<never> {
  const running: Running = { children: [], embedded: undefined }
  const stop = listenForStop(() => {
    for (const child of running.children) child.kill()
    process.exit(1)
  })
  if (startedByNpm()) void whenParentIsGone().then(stop.ask)
  try {
    await Promise.race([bringUp(config, log, running).then(() => stop.asked), stop.asked])
    if (stop.isAsked()) console.log(`Stopping ${config.productName} …`)
  } finally {
    await shutDown(running)
  }
  process.exit(0)
}

async function bringUp(settings: Config, log: Log, running: Running): Promise<void> {
  const held = await holdPort(settings.port, settings.host)
  const { config: onFreePorts, release } = await withSimulatorPort(onPort(settings, held.port))
  const env = environmentWith(NODE_SETTINGS)
  // The children load their code while the database starts.
  for (const role of rolesOf(settings)) {
    running.children.push(new SupervisedChild({ role, program: PROGRAM, env, log }))
  }
  const [config] = await Promise.all([withOwnDatabase(onFreePorts, log, running), buildWebIfChanged()])
  await Promise.all([held.release(), release()])
  await Promise.all(running.children.map((child) => child.start(settingsOf(config))))
  announce(config)
}

function rolesOf({ payments }: Config): string[] {
  return ['api', 'worker', ...(payments.kind === 'simulator' ? ['simulator'] : [])]
}

/** Returns the settings with the address of a reachable, migrated database that contains its data. */
async function withOwnDatabase(settings: Config, log: Log, running: Running): Promise<Config> {
  // Half of this process's code; loading it is deferred until the database and the other processes are starting.
  const loading = import('./prepare-database.ts')
  const databaseUrl = await provideDatabase(settings, log, running)
  const config: Config = { ...settings, databaseUrl, logLevel: settings.logLevel ?? 'warn' }
  await (await loading).prepareDatabase(config, log, PROGRAM)
  return config
}

async function provideDatabase(config: Config, log: Log, running: Running): Promise<string> {
  if (config.databaseUrl) {
    const { reachDatabase } = await import('#server/platform/database/reach-database.ts')
    await reachDatabase(config.databaseUrl)
    return config.databaseUrl
  }
  running.embedded = superviseEmbeddedPostgres(join(config.dataDir, 'postgres'), log)
  const embedded = await running.embedded
  return embedded.url()
}

/** Stops the processes first: they need the database to finish their work. */
async function shutDown(running: Running): Promise<void> {
  await Promise.all(running.children.map((child) => child.stop()))
  const embedded = await running.embedded?.catch(() => undefined)
  await embedded?.stop()
}

function announce(config: Config): void {
  const lines = [`${config.productName} is ready: ${config.publicUrl}`]
  if (config.payments.kind === 'simulator')
    lines.push(`Test payments: ${config.payments.url} (no money moves)`)
  if (config.demoData) lines.push('', ...demoSignIns)
  console.log(`\n${lines.join('\n')}\n\nPress Ctrl-C to stop.`)
}
