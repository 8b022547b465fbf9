import { type Config, nearMisses, readConfig, readSentConfig } from '#server/config.ts'
import { AppError, Refusal } from '#server/platform/errors.ts'
import { type Log, type LogLevel, openLog } from '#server/platform/log.ts'
import { joinSupervisor, SUPERVISED } from '#server/platform/processes/supervisor-link.ts'
import { closeTracing, openTracing } from '#server/platform/tracing/tracing.ts'
import { beginsCommand, type CommandName, isCommand, readArguments, usage, usageOf } from './usage.ts'

type Run = (config: Config, log: Log, args: readonly string[]) => Promise<void>

const HELP = new Set(['--help', '-h'])

/** Started by the worker as its own process, never by a person. */
const RUN_SCRIPT = 'run-script'

type Command = {
  /**
   * The log level; `warn` if unset. Long-running processes log more; commands that print their findings log nothing.
   */
  readonly level?: LogLevel
  /** Imports only what the command needs: `config check` must not load a web server. */
  load(): Promise<Run>
}

const COMMANDS: Readonly<Record<CommandName | typeof RUN_SCRIPT, Command>> = {
  start: { load: async () => (await import('./start.ts')).start },
  api: { level: 'info', load: async () => (await import('./api.ts')).api },
  worker: { level: 'info', load: async () => (await import('./worker.ts')).worker },
  simulator: { level: 'info', load: async () => (await import('./simulator.ts')).simulator },
  migrate: { load: async () => onDatabase((await import('./migrate.ts')).migrateAndReport) },
  'admin create': { load: async () => (await import('./admin-create.ts')).adminCreate },
  'admin reset-factors': { load: async () => (await import('./admin-reset-factors.ts')).adminResetFactors },
  'demo load': { load: async () => (await import('./demo-load.ts')).demoLoad },
  backup: { load: async () => (await import('./backup.ts')).backup },
  'backup verify': { load: async () => (await import('./backup.ts')).backupVerify },
  restore: { load: async () => (await import('./backup.ts')).restore },
  doctor: { level: 'silent', load: async () => (await import('./doctor.ts')).doctor },
  'payments doctor': {
    level: 'silent',
    load: async () => (await import('./payments-doctor.ts')).paymentsDoctor,
  },
  'payments reconcile': { load: async () => (await import('./payments-reconcile.ts')).paymentsReconcile },
  'pictures check': { load: async () => (await import('./pictures-check.ts')).picturesCheck },
  'recalls load': { load: async () => (await import('./recalls-load.ts')).recallsLoad },
  'config check': {
    load: async () => async (config) => {
      for (const sentence of nearMisses()) console.log(sentence)
      console.log(`The settings are valid: ${config.mode} mode on ${config.host}, port ${config.port}.`)
    },
  },
  [RUN_SCRIPT]: { load: async () => (await import('./run-script.ts')).runScript },
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
  if (words[0] === RUN_SCRIPT) return run(RUN_SCRIPT, words.slice(1))
  const asked = words.filter((word, at) => !HELP.has(word) && !(at === 0 && word === 'help'))
  const name = [asked.slice(0, 2).join(' '), asked[0] ?? ''].find(isCommand)
  const [first] = asked
  if (name === undefined) {
    // Also "admin" alone, the beginning of several commands.
    const list = beginsCommand(first) ? usage(first) : usage()
    if (first !== undefined && !(asked.length < words.length && beginsCommand(first))) {
      throw new Refusal(`There is no command "${asked.slice(0, 2).join(' ')}".\n\n${list}`)
    }
    console.log(list)
    return
  }
  if (asked.length < words.length) {
    console.log(usageOf(name))
    return
  }
  await run(name, words.slice(name.split(' ').length))
}

async function run(name: keyof typeof COMMANDS, words: readonly string[]): Promise<void> {
  const supervised = words.includes(SUPERVISED)
  const args = words.filter((word) => word !== SUPERVISED)
  // Before the settings: a mistyped option is the nearer problem.
  if (name !== RUN_SCRIPT) readArguments(name, args)
  const command = COMMANDS[name]
  const sent = supervised ? joinSupervisor() : undefined
  const own = supervised ? undefined : readConfig()
  const start = await command.load()
  const config = own ?? readSentConfig((await sent) ?? {})
  if (config.tracing) await openTracing(config.tracing, name)
  const log = openLog({ role: name, level: config.logLevel ?? command.level ?? 'warn' })
  const serves = command.level === 'info' || name === 'start'
  if (own && serves) for (const sentence of nearMisses()) log.warn(sentence)
  // A service closes it itself when it is asked to stop.
  await start(config, log, args).finally(closeTracing)
}
