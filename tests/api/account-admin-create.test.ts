import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { adminCreate } from '#server/commands/admin-create.ts'
import { AppError, Refusal } from '#server/platform/errors.ts'
import { openLog } from '#server/platform/log.ts'
import { newPerson } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const { config, db, visitor, signUp } = await startTestApp()
const log = openLog({ role: 'test', level: 'silent' })
afterEach(() => vi.restoreAllMocks())

/** Runs the program as an operator does, with this line on standard input. */
async function runAdminCreate(args: string[], line = '') {
  const child = spawn(process.execPath, ['server/main.ts', 'admin', 'create', ...args], {
    env: { ...process.env, APP_MODE: 'demo', DATABASE_URL: config.databaseUrl, DATA_DIR: config.dataDir },
  })
  child.stdin.end(line)
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { out, err, code: Number(code) }
}

const named = ({ name, email }: { name: string; email: string }) => ['--name', name, '--email', email]
const audited = (userId: string) =>
  db.selectFrom('audit_entry').select(['action', 'actor_user_id']).where('target', '=', userId).execute()

// The first two tests start a process on a machine that also does other work.
describe('admin create', { timeout: 60_000 }, () => {
  test('makes an administrator who signs in like any other user', async () => {
    const person = newPerson({ name: 'Ada Cole' })
    const password = 'wharf crane at dusk '
    const made = await runAdminCreate([...named(person), '--password-stdin'], `${password}\n`)
    expect(made).toEqual({
      out: `${person.email} is now an administrator.\n`,
      err: '',
      code: 0,
    })
    const answer = await visitor.post<{ token: string; user: { id: string } }>('/login', {
      ...person,
      password,
    })
    expect(answer.body.user).toMatchObject({ role: 1, sellerTier: 'FREE', name: 'Ada Cole' })
    expect((await visitor.as({ token: answer.body.token }).get('/admin-check')).status).toBe(200)
    expect(await audited(answer.body.user.id)).toEqual([{ action: 'admin-created', actor_user_id: null }])
  })

  test('--promote makes an existing account an administrator and ends its sessions', async () => {
    const { api, person, user } = await signUp()
    const refused = await runAdminCreate([...named(person), '--password-stdin'], 'wharf crane at dusk')
    expect(refused).toMatchObject({ out: '', code: 1 })
    expect(refused.err).toContain('run this again with --promote')
    expect(refused.err).not.toMatch(/\n\s+at /)
    expect((await api.get('/admin-check')).status).toBe(403)
    const promoted = await runAdminCreate(['--promote', '--email', person.email.toUpperCase()])
    expect(promoted.code).toBe(0)
    expect((await api.get('/auth-check')).status).toBe(401)
    const { body } = await visitor.post<{ user: { role: number } }>('/login', person)
    expect(body.user.role).toBe(1)
    expect(await audited(user.id)).toEqual([{ action: 'admin-promoted', actor_user_id: null }])
  })

  // A refusal ends the program with an error message and status 1, as the test above shows.
  test.each([
    ['no arguments', [], '', '--email is missing'],
    ['an option that does not exist', ['--admin'], '', 'There is no option --admin.'],
    [
      'half an email address',
      ['--email', 'ada', '--name', 'Ada', '--password-stdin'],
      '',
      'Enter an email address',
    ],
    ['a short password', [...named(newPerson()), '--password-stdin'], 'short', 'at least 8 characters'],
    ['a guessable one', [...named(newPerson()), '--password-stdin'], 'password1', 'easy to guess'],
    ['no terminal to ask at', named(newPerson()), '', '--password-stdin'],
    [
      '--promote with an unknown email',
      ['--promote', '--email', 'x@nobody.example'],
      '',
      'There is no account for',
    ],
    ['--promote with a name', ['--promote', ...named(newPerson())], '', 'Remove the other options'],
  ])('%s is refused with an error message', async (_, args, line, sentence) => {
    const stdin = Object.assign(Readable.from([line]), { isTTY: false })
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as unknown as typeof process.stdin)
    const refused = await adminCreate(config, log, args).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(refused).toSatisfy((error) => error instanceof Refusal || error instanceof AppError)
    expect(refused).toMatchObject({ message: expect.stringContaining(sentence) })
  })
})
