import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { newPerson } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const { config, db, visitor, signUp } = await startTestApp()

/** The program as an operator runs it, with this line on its standard input. */
async function adminCreate(args: string[], line = '') {
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

describe('S7 admin create', () => {
  test('makes an administrator who signs in like everyone', async () => {
    const person = newPerson({ name: 'Ada Cole' })
    const password = 'wharf crane at dusk '
    const made = await adminCreate([...named(person), '--password-stdin'], `${password}\n`)
    expect(made).toEqual({
      out: `${person.email} is an administrator of PartHarbor now.\n`,
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

  test('--promote makes an existing account an administrator’s and ends its sessions', async () => {
    const { api, person, user } = await signUp()
    const refused = await adminCreate([...named(person), '--password-stdin'], 'wharf crane at dusk')
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('run this again with --promote')
    expect((await api.get('/admin-check')).status).toBe(403)
    const promoted = await adminCreate(['--promote', '--email', person.email.toUpperCase()])
    expect(promoted.code).toBe(0)
    expect((await api.get('/auth-check')).status).toBe(401)
    const { body } = await visitor.post<{ user: { role: number } }>('/login', person)
    expect(body.user.role).toBe(1)
    expect(await audited(user.id)).toEqual([{ action: 'admin-promoted', actor_user_id: null }])
  })

  test.each([
    ['no arguments', [], '', '--email is missing'],
    ['an option that is none', ['--admin'], '', "Unknown option '--admin'"],
    [
      'half an e-mail',
      ['--email', 'ada', '--name', 'Ada', '--password-stdin'],
      '',
      'Enter an e-mail address',
    ],
    ['a short password', [...named(newPerson()), '--password-stdin'], 'short', 'at least 8 characters'],
    [
      'a guessable one',
      [...named(newPerson()), '--password-stdin'],
      'password1',
      'first that would be guessed',
    ],
    ['no terminal to ask at', named(newPerson()), '', '--password-stdin'],
    ['--promote for nobody', ['--promote', '--email', 'x@nobody.example'], '', 'There is no account'],
    ['--promote with a name', ['--promote', ...named(newPerson())], '', 'leave the other options out'],
  ])('%s ends with a sentence and status 1', async (_, args, line, sentence) => {
    const { out, err, code } = await adminCreate(args, line)
    expect({ out, code }).toEqual({ out: '', code: 1 })
    expect(err).toContain(sentence)
    expect(err).not.toMatch(/\n\s+at /)
  })
})
