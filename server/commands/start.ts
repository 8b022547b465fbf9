import { join } from 'node:path'
import { type Config, environmentWith, onPort, settingsOf, startedByNpm } from '#server/config.ts'
import { demoSignIns } from '#server/features/demo/demo-sign-ins.ts'
import {
  type KeptPostgres,
  keepEmbeddedPostgres,
} from '#server/platform/embedded-postgres/embedded-postgres.ts'
import type { Log } from '#server/platform/log.ts'
import { httpOrigin } from '#server/platform/net/addresses.ts'
import { type HeldPort, holdPort } from '#server/platform/net/port.ts'
import { listenForStop, whenParentIsGone } from '#server/platform/processes/run-until-stopped.ts'
import { NODE_SETTINGS, SupervisedChild } from '#server/platform/processes/supervised-child.ts'
import { buildWebIfChanged } from './web-build.ts'

// Links to test payments in an open tab should still lead somewhere after a restart.
const nextTo = (port: number) => port + 1
const LAST_PORT = 65_535

/**
 * The config with a free port for test payments, held until the simulator comes: the one after the web app's, so that it
 * stays the same, or any other where that is taken. Nothing is held without a simulator.
 */
async function withSimulatorPort(config: Config): Promise<Pick<HeldPort, 'release'> & { config: Config }> {
  const { payments, host, port } = config
  if (payments.kind !== 'simulator') return { config, release: async () => undefined }
  const wanted = nextTo(port) <= LAST_PORT ? nextTo(port) : 0
  const held = await holdPort(wanted, host).catch(() => holdPort(0, host))
  const url = httpOrigin(host, held.port)
  return { config: { ...config, payments: { ...payments, url } }, release: held.release }
}

const PROGRAM = join(import.meta.dirname, '../main.ts')

/** What has been started so far, for whoever has to stop it. */
type Running = {
  readonly children: SupervisedChild[]
  embedded: Promise<KeptPostgres> | undefined
  /** Ends the whole program: something it cannot live without is gone. */
  lose(error: unknown): void
}

/**
 * Everything in one terminal: database, web app, migrations, demo data, then `api`, `worker` and, for test payments,
 * `simulator` as processes that are kept running until someone asks to stop. Whatever ends this process, nothing it
 * started stays behind.
 */
export async function start(config: Config, log: Log): Promise<never> {
  const running: Running = { children: [], embedded: undefined, lose: () => undefined }
  const lost = new Promise<never>((_, reject) => {
    running.lose = reject
  })
  const stop = listenForStop(() => {
    for (const child of running.children) child.kill()
    process.exit(1)
  })
  if (startedByNpm()) void whenParentIsGone().then(stop.ask)
  try {
    await Promise.race([bringUp(config, log, running).then(() => stop.asked), stop.asked, lost])
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
  // They load their code while the database starts.
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

/** The settings to use with a database that answers, is of this version, and holds what belongs into it. */
async function withOwnDatabase(settings: Config, log: Log, running: Running): Promise<Config> {
  // Half of what this process would load, and not needed before the database and the other processes are on their way.
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
  running.embedded = keepEmbeddedPostgres(join(config.dataDir, 'postgres'), log)
  const embedded = await running.embedded
  embedded.lost.catch(running.lose)
  return embedded.url()
}

/** The processes first: what they are finishing needs the database. */
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
  console.log(`\n${lines.join('\n')}\n\nCtrl-C stops it.`)
}
