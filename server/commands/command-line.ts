import type { Config } from '#server/config.ts'
import { readConfig, readSentConfig } from '#server/config.ts'
import { AppError, Refusal } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import { openLog } from '#server/platform/log.ts'
import { joinSupervisor, SUPERVISED } from '#server/platform/processes/supervisor-link.ts'
import { closeTracing, openTracing } from '#server/platform/tracing/tracing.ts'

type Run = (config: Config, log: Log, args: readonly string[]) => Promise<void>

type Command = {
  readonly help: string
  /** A long-running process, which logs at `info` rather than `warn`. */
  readonly service?: true
  /** Imports only what the command needs: `config check` must not load a web server. */
  load(): Promise<Run>
}

const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    help: 'run everything in one terminal: database, web app, API and worker (npm start)',
    load: async () => (await import('./start.ts')).start,
  },
  api: {
    help: 'serve the web app and the API; needs DATABASE_URL',
    service: true,
    load: async () => (await import('./api.ts')).api,
  },
  worker: {
    help: 'run jobs; needs DATABASE_URL',
    service: true,
    load: async () => (await import('./worker.ts')).worker,
  },
  simulator: {
    help: 'simulate the payment provider (demo mode); needs DATABASE_URL',
    service: true,
    load: async () => (await import('./simulator.ts')).simulator,
  },
  migrate: {
    help: 'migrate the database to this version',
    load: async () => onDatabase((await import('./migrate.ts')).migrateAndReport),
  },
  'admin create': {
    help: 'create an administrator, or promote an existing account',
    load: async () => (await import('./admin-create.ts')).adminCreate,
  },
  'admin reset-factors': {
    help: 'turn off two-step sign-in for someone who lost phone, passkey and codes',
    load: async () => (await import('./admin-reset-factors.ts')).adminResetFactors,
  },
  'demo load': {
    help: 'load the demo data; --parts N: fill up to N parts (5000 to 1000000)',
    load: async () => (await import('./demo-load.ts')).demoLoad,
  },
  backup: {
    help: 'write a backup; --to DIR',
    load: async () => (await import('./backup.ts')).backup,
  },
  'backup verify': {
    help: 'read every byte of a backup; --from FILE or DIR',
    load: async () => (await import('./backup.ts')).backupVerify,
  },
  restore: {
    help: 'put a backup into an empty installation; --from FILE or DIR, --end-tokens',
    load: async () => (await import('./backup.ts')).restore,
  },
  doctor: {
    help: 'check all that the system depends on, and say what to do; --json',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  'payments doctor': {
    help: 'check everything that payments need, and print what is missing',
    load: async () => (await import('./payments-doctor.ts')).paymentsDoctor,
  },
  'payments reconcile': {
    help: "sync every seller's plan and payouts from the provider; --json",
    load: async () => (await import('./payments-reconcile.ts')).paymentsReconcile,
  },
  'pictures check': {
    help: 'list pictures whose file is missing',
    load: async () => (await import('./pictures-check.ts')).picturesCheck,
  },
  'recalls load': {
    help: 'load the list of part numbers that makers recalled; <file>: a number and why in each line',
    load: async () => (await import('./recalls-load.ts')).recallsLoad,
  },
  'run-script': {
    help: 'run a script (started by the worker as its own process)',
    load: async () => (await import('./run-script.ts')).runScript,
  },
  'config check': {
    help: 'check the settings and list what is wrong',
    load: async () => async (config) => {
      console.log(`The settings are valid: ${config.mode} mode on ${config.host}, port ${config.port}.`)
    },
  },
}

/** Gives a command the configured database, starting the embedded one if necessary. */
async function onDatabase(run: Run): Promise<Run> {
  const { withDatabase } = await import('./database-of.ts')
  return (config, log, args) => withDatabase(config, log, (served) => run(served, log, args))
}

/** Runs a command. Expected failures print their message and exit with status 1. */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  try {
    await dispatch(words)
    // The channel to a supervisor would keep a finished command alive.
    process.exit()
  } catch (error) {
    // Anything else is a bug in our code, so print its stack.
    const isExpected = error instanceof Refusal || error instanceof AppError
    const stack = error instanceof Error ? error.stack : String(error)
    console.error(isExpected ? error.message : `Unexpected failure: ${stack}`)
    process.exit(1)
  }
}

async function dispatch(words: readonly string[]): Promise<void> {
  if (words.length === 0 || HELP.has(words[0] ?? '')) {
    console.log(usage())
    return
  }
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((known) => Object.hasOwn(COMMANDS, known))
  const command = name === undefined ? undefined : COMMANDS[name]
  if (name === undefined || !command) {
    throw new Refusal(`There is no command "${words.join(' ')}".\n\n${usage()}`)
  }
  const supervised = words.includes(SUPERVISED)
  const args = words.slice(name.split(' ').length).filter((word) => word !== SUPERVISED)
  const sent = supervised ? joinSupervisor() : undefined
  const own = supervised ? undefined : readConfig()
  const run = await command.load()
  const config = own ?? readSentConfig((await sent) ?? {})
  if (config.tracing) await openTracing(config.tracing, name)
  const level = config.logLevel ?? (command.service ? 'info' : 'warn')
  // A service closes it itself when it is asked to stop.
  await run(config, openLog({ role: name, level }), args).finally(closeTracing)
}

const HELP = new Set(['help', '--help', '-h'])

function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { help }]) => `  ${name.padEnd(20)} ${help}`)
  return `Usage: npm run partharbor -- <command>\n\n${lines.join('\n')}`
}
