import type { Config } from '#server/config.ts'
import { readConfig } from '#server/config.ts'
import type { Log } from '#server/platform/log.ts'
import { openLog } from '#server/platform/log.ts'
import { SUPERVISED } from '#server/platform/processes/run-service.ts'
import { Refusal } from '#server/platform/refusal.ts'

type Command = {
  readonly help: string
  /** Runs for long and alone, so its log tells more than what is wrong. */
  readonly service?: true
  run(config: Config, log: Log, args: readonly string[]): Promise<void>
}

/** Every command imports what it needs when it runs: `config check` must not load a web server. */
const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    help: 'everything in one terminal: database, web app, api and worker (npm start)',
    run: async (config, log) => (await import('#server/commands/start.ts')).start(config, log),
  },
  api: {
    help: 'serve web app and API; needs DATABASE_URL',
    service: true,
    run: async (config, log, args) =>
      (await import('#server/commands/api.ts')).api(config, log, args.includes(SUPERVISED)),
  },
  worker: {
    help: 'run jobs; needs DATABASE_URL',
    service: true,
    run: async (config, log, args) =>
      (await import('#server/commands/worker.ts')).worker(config, log, args.includes(SUPERVISED)),
  },
  migrate: {
    help: 'bring the database to this version',
    run: async (config, log) => {
      const [{ withDatabase }, { migrateAndReport }] = await Promise.all([
        import('#server/commands/database-of.ts'),
        import('#server/commands/migrate.ts'),
      ])
      await withDatabase(config, log, (served) => migrateAndReport(served, log))
    },
  },
  'admin create': {
    help: 'make an administrator: --email, --name, or --promote for an existing account',
    run: async (config, log, args) =>
      (await import('#server/commands/admin-create.ts')).adminCreate(config, log, args),
  },
  'config check': {
    help: 'read the settings and name what is wrong',
    run: async (config) => {
      process.stdout.write(`The settings are right: ${config.mode} mode on ${config.host}:${config.port}.\n`)
    },
  },
}

async function main(words: readonly string[]): Promise<void> {
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((candidate) =>
    Object.hasOwn(COMMANDS, candidate),
  )
  const command = name === undefined ? undefined : COMMANDS[name]
  if (name === undefined || !command) throw new Refusal(usage(words))
  const config = readConfig()
  const log = openLog({ role: name, level: config.logLevel ?? (command.service ? 'info' : 'warn') })
  await command.run(config, log, words.slice(name.split(' ').length))
}

function usage(words: readonly string[]): string {
  const lines = Object.entries(COMMANDS).map(([name, { help }]) => `  ${name.padEnd(14)} ${help}`)
  const problem = words.length > 0 ? `There is no command "${words.join(' ')}".\n\n` : ''
  return `${problem}Usage: npm run partharbor -- <command>\n\n${lines.join('\n')}`
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  // A refusal is a sentence for the person who started this; anything else is our defect, and its stack helps to mend it.
  const text =
    error instanceof Refusal
      ? error.message
      : `Unexpected failure: ${error instanceof Error ? error.stack : error}`
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
