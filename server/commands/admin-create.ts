import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { newAccount } from '#contract/account/accounts.ts'
import type { Config } from '#server/config.ts'
import { createAdmin, promoteToAdmin } from '#server/features/people/accounts/registration.ts'
import { type Db, openDatabase } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import { requireCurrentSchema, requireDatabaseUrl, withDatabase } from './database-of.ts'
import { misuse, readArguments } from './usage.ts'

/** Prompts at the terminal without echo. The prompt goes to stderr so that stdout can be redirected to a file. */
async function askSecret(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  process.stderr.write(question)
  try {
    return await terminal.question('')
  } catch (error) {
    throw new Refusal('Stopped. Nothing was changed.', { cause: error })
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}

/** Reads the first line of piped input. Spaces are part of the secret; the line ending is not. */
async function readSecretLine(input: AsyncIterable<Buffer | string> = process.stdin): Promise<string> {
  let text = ''
  for await (const chunk of input) {
    text += chunk.toString()
    if (text.includes('\n')) break
  }
  return text.split(/\r?\n/, 1)[0] ?? ''
}

/** Creates or promotes an administrator. Access to the machine's terminal is the authorization. */
export async function adminCreate(config: Config, log: Log, args: readonly string[]): Promise<void> {
  const options = readOptions(args)
  const { productName } = config
  if (options.promote) {
    const { email } = validate(options, newAccount.pick({ email: true }))
    await withPool(config, log, (db) => promoteToAdmin(db, email))
    console.log(`${email} is now an administrator and needs to sign in again.`)
    return
  }
  const { email, name } = validate(options, newAccount.omit({ password: true }))
  const { password } = validate(
    { password: await choosePassword(options.passwordFromInput) },
    newAccount.pick({ password: true }),
  )
  await withPool(config, log, (db) => createAdmin({ db, productName }, { email, name, password }))
  console.log(`${email} is now an administrator.`)
}

function readOptions(args: readonly string[]) {
  const { email, name, promote, 'password-stdin': passwordFromInput } = readArguments('admin create', args)
  if (email === undefined) throw misuse('admin create', '--email is missing.')
  if (!promote && name === undefined) throw misuse('admin create', '--name is missing.')
  if (promote && (name !== undefined || passwordFromInput)) {
    throw new Refusal("--promote keeps the account's name and password. Remove the other options.")
  }
  return { email, name, promote, passwordFromInput }
}

async function choosePassword(fromInput: boolean): Promise<string> {
  if (fromInput) return readSecretLine()
  if (!process.stdin.isTTY) {
    throw new Refusal('No terminal to prompt for a password. Pipe it in with --password-stdin.')
  }
  const password = await askSecret('Password for the new administrator: ')
  if ((await askSecret('Repeat the password: ')) !== password)
    throw new Refusal('The passwords do not match.')
  return password
}

type Schema<T> = { safeParse(value: unknown): { data?: T; error?: { issues: { message: string }[] } } }

/** Applies the same rules as the registration form. */
function validate<T>(value: unknown, schema: Schema<T>): T {
  const { data, error } = schema.safeParse(value)
  if (data === undefined) throw new Refusal(error?.issues.map(({ message }) => message).join('\n') ?? '')
  return data
}

async function withPool(config: Config, log: Log, work: (db: Db) => Promise<void>): Promise<void> {
  await withDatabase(config, log, async (served) => {
    await requireCurrentSchema(served)
    const database = openDatabase(requireDatabaseUrl(served), {
      max: 1,
      applicationName: 'admin-create',
      log,
    })
    await work(database.db).finally(database.close)
  })
}
