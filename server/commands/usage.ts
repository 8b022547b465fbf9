import { parseArgs } from 'node:util'
import { Refusal } from '#server/platform/errors.ts'

/* Each command's purpose and options: its help, and the errors in what was typed. */

type Option = {
  readonly help: string
  /** Its value, such as `DIR`; an option without a value is a switch. */
  readonly value?: string
  /** The default, in words. */
  readonly otherwise?: string
}

type Usage = {
  readonly does: string
  readonly options?: Readonly<Record<string, Option>>
  /** A word after the command that it needs. */
  readonly operand?: { readonly value: string; readonly help: string }
  /** Its forms, if options depend on each other. */
  readonly forms?: readonly string[]
  /** Its requirements and other remarks, as sentences. */
  readonly more?: string
}

const NEEDS_DATABASE = 'Needs DATABASE_URL; "start" runs everything with the embedded database.'
const FROM = {
  value: 'PATH',
  help: 'an archive, or a folder, whose newest archive is used',
  otherwise: 'BACKUP_DIR',
}
const JSON_LINES = { help: 'print one line of JSON for each result' }

const USAGES = {
  start: { does: 'run everything in one terminal: database, web app, API and worker (npm start)' },
  api: { does: 'serve the web app and the API', more: NEEDS_DATABASE },
  worker: { does: 'run background jobs', more: NEEDS_DATABASE },
  simulator: { does: 'simulate the payment provider (demo mode)', more: NEEDS_DATABASE },
  migrate: { does: 'bring the database to the version of this program' },
  'admin create': {
    does: 'create an administrator, or make an existing account one',
    forms: ['--email EMAIL --name NAME [--password-stdin]', '--email EMAIL --promote'],
    options: {
      email: { value: 'EMAIL', help: 'the address to sign in with' },
      name: { value: 'NAME', help: 'the name of a new administrator' },
      'password-stdin': {
        help: 'read the password from standard input',
        otherwise: 'the terminal asks for it',
      },
      promote: { help: 'make an existing account an administrator; it keeps its name and password' },
    },
  },
  'admin reset-factors': {
    does: 'turn off two-step sign-in for someone who lost every second factor',
    forms: ['--email EMAIL'],
    options: { email: { value: 'EMAIL', help: 'the account; all of its devices are signed out' } },
    more: 'Make sure that the request comes from the account’s owner.',
  },
  'demo load': {
    does: 'load the demo data (demo mode)',
    options: {
      parts: { value: 'N', help: 'add parts until there are N, from 5000 to 1000000', otherwise: '5000' },
    },
  },
  backup: {
    does: 'write an encrypted backup while the system works',
    options: { to: { value: 'DIR', help: 'the folder to write to', otherwise: 'BACKUP_DIR' } },
    more: 'Needs BACKUP_PASSPHRASE. See docs/backup.md.',
  },
  'backup verify': {
    does: 'read every byte of a backup and check it; needs no database',
    options: { from: FROM },
    more: 'Needs BACKUP_PASSPHRASE.',
  },
  restore: {
    does: 'put a backup into an empty installation',
    options: {
      from: FROM,
      'end-tokens': { help: 'end all API tokens of the backup', otherwise: 'they keep working' },
    },
    more: 'Needs BACKUP_PASSPHRASE. Nothing else may be running on the database. See docs/backup.md.',
  },
  doctor: {
    does: 'check everything the system depends on, and say what to do',
    options: { json: JSON_LINES },
    more: 'Exits with 1 if a check fails; warnings do not count.',
  },
  'payments doctor': {
    does: 'check everything that payments need, and print what is missing',
    more: 'Changes nothing at Stripe. Exits with 1 if anything is missing. See docs/going-live.md.',
  },
  'payments reconcile': {
    does: "read every seller's plan and payouts from Stripe, and print what changed",
    options: { json: JSON_LINES },
    more: 'Exits with 1 if a seller could not be read.',
  },
  'pictures check': {
    does: 'list pictures whose file is missing',
    more: 'Changes nothing. Exits with 1 if any is missing.',
  },
  'recalls load': {
    does: 'load the part numbers that makers have recalled',
    operand: {
      value: 'FILE',
      help: 'on each line a part number and, after a comma, the reason; it replaces the list',
    },
    options: {
      'skip-bad-lines': {
        help: 'load the other lines of a file with bad ones',
        otherwise: 'bad lines are named, nothing is loaded',
      },
    },
  },
  'config check': { does: 'check the settings, and list what is wrong' },
} as const satisfies Readonly<Record<string, Usage>>

export type CommandName = keyof typeof USAGES

export const COMMAND_NAMES = Object.keys(USAGES) as CommandName[]

export const isCommand = (name: string): name is CommandName => Object.hasOwn(USAGES, name)

type OptionsOf<N extends CommandName> = (typeof USAGES)[N] extends { readonly options: infer O } ? O : unknown

/** The values of a command's options, and the word after it if it takes one. */
export type Arguments<N extends CommandName> = {
  readonly [K in keyof OptionsOf<N>]: OptionsOf<N>[K] extends { readonly value: string }
    ? string | undefined
    : boolean
} & { readonly operand: string | undefined }

/** Reads the words after a command. @throws Refusal that names the wrong word and prints the command's usage */
export function readArguments<N extends CommandName>(name: N, words: readonly string[]): Arguments<N> {
  const { options = {}, operand }: Usage = USAGES[name]
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(
      Object.entries(options).map(([option, { value }]) => [option, { type: value ? 'string' : 'boolean' }]),
    ),
    strict: false,
    tokens: true,
  })
  const read: Record<string, string | boolean | undefined> = { operand: undefined }
  for (const [option, { value }] of Object.entries(options)) read[option] = value ? undefined : false
  for (const token of tokens) {
    if (token.kind === 'option') read[token.name] = readValue(name, token)
    if (token.kind !== 'positional') continue
    if (!operand || read.operand !== undefined) throw misuse(name, `${name} does not take "${token.value}".`)
    read.operand = token.value
  }
  if (operand && read.operand === undefined) throw misuse(name, `${operand.value} is missing.`)
  return read as Arguments<N>
}

type Typed = {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue?: boolean | undefined
}

function readValue(name: CommandName, { name: option, rawName, value, inlineValue }: Typed): string | true {
  const { options = {} }: Usage = USAGES[name]
  const known = Object.hasOwn(options, option) ? options[option] : undefined
  if (!known) throw misuse(name, `There is no option ${rawName}.`)
  if (known.value === undefined) {
    if (value !== undefined) throw misuse(name, `${rawName} takes no value.`)
    return true
  }
  // "--to --json" is a forgotten value, not a folder of that name.
  if (!value || (!inlineValue && value.startsWith('-'))) {
    throw misuse(name, `${rawName} needs a value: ${rawName} ${known.value}.`)
  }
  return value
}

/** A refusal of how a command was called. */
export const misuse = (name: CommandName, problem: string): Refusal =>
  new Refusal(`${problem}\n\n${usageOf(name)}`)

const PROGRAM = 'npm run partharbor --'

export function usageOf(name: CommandName): string {
  const { does, options = {}, operand, forms, more }: Usage = USAGES[name]
  const open = [[Object.keys(options).length > 0 && '[options]', operand?.value].filter(Boolean).join(' ')]
  const lines = (forms ?? open).map((form, index) =>
    `${index === 0 ? 'Usage: ' : '       '}${PROGRAM} ${name} ${form}`.trimEnd(),
  )
  const rows = [
    ...(operand ? [[operand.value, operand.help]] : []),
    ...Object.entries(options).map(([option, { value, help, otherwise }]) => [
      `--${option}${value ? ` ${value}` : ''}`,
      otherwise === undefined ? help : `${help} (default: ${otherwise})`,
    ]),
  ]
  const width = Math.max(...rows.map(([word = '']) => word.length))
  const table = rows.map(([word = '', help]) => `  ${word.padEnd(width)}  ${help}`)
  const sentence = `${does.charAt(0).toUpperCase()}${does.slice(1)}.`
  return [
    lines.join('\n'),
    [sentence, more].filter(Boolean).join('\n'),
    ...(table.length > 0 ? [table.join('\n')] : []),
  ].join('\n\n')
}

/** All commands, or those that begin with a word, such as "admin". */
export function usage(first?: string): string {
  const names = COMMAND_NAMES.filter((name) => first === undefined || name.split(' ')[0] === first)
  const width = Math.max(...names.map((name) => name.length))
  const lines = names.map((name) => `  ${name.padEnd(width)}  ${USAGES[name].does}`)
  return `Usage: ${PROGRAM} <command>\n\n${lines.join('\n')}\n\nOptions of a command: ${PROGRAM} help <command>`
}

export const beginsCommand = (word: string | undefined): word is string =>
  COMMAND_NAMES.some((name) => name.split(' ')[0] === word)
