import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

/* scripts/bootstrap.cjs in a project of its own, with an npm that only records that it was called. */

let project: string

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'partharbor-bootstrap-'))
  await mkdir(join(project, 'scripts'))
  await cp(join(import.meta.dirname, '../../scripts/bootstrap.cjs'), join(project, 'scripts/bootstrap.cjs'))
  await writeFile(join(project, 'package-lock.json'), '{}')
  await npmDoes(`fs.mkdirSync('node_modules', { recursive: true })`)
})

afterEach(() => rm(project, { recursive: true, force: true }))

/** Every run adds a line to calls.log, and then does this. */
function npmDoes(program: string): Promise<void> {
  const note = `fs.appendFileSync('calls.log', process.argv.slice(2).join(' ') + '\\n')`
  return writeFile(join(project, 'npm-cli.js'), `const fs = require('node:fs'); ${note}; ${program}`)
}

async function npmCalls(): Promise<string[]> {
  const log = await readFile(join(project, 'calls.log'), 'utf8').catch(() => '')
  return log.split('\n').filter((line) => line !== '')
}

function run(preload: string[] = []): {
  child: ChildProcess
  ended: Promise<{ status: number; said: string }>
} {
  const child = spawn(process.execPath, [...preload, 'scripts/bootstrap.cjs'], {
    cwd: project,
    env: {
      PATH: process.env.PATH,
      npm_execpath: join(project, 'npm-cli.js'),
      npm_node_execpath: process.execPath,
    },
  })
  let said = ''
  child.stdout?.on('data', (data) => (said += data))
  child.stderr?.on('data', (data) => (said += data))
  return { child, ended: once(child, 'close').then(([status]) => ({ status, said })) }
}

test('it installs once, with one line of output, and does nothing until the lockfile changes', async () => {
  const first = await run().ended
  expect(first).toEqual({
    status: 0,
    said: expect.stringMatching(/^Installing packages, .*done in \d+ s\n$/),
  })
  expect(await run().ended).toEqual({ status: 0, said: '' })
  expect(await npmCalls()).toEqual([expect.stringMatching(/^install --ignore-scripts --no-save /)])
  await writeFile(join(project, 'package-lock.json'), '{ "changed": true }')
  await run().ended
  expect(await npmCalls()).toHaveLength(2)
})

test('of two starts at once, one installs and the other waits for it', async () => {
  await npmDoes(`setTimeout(() => fs.mkdirSync('node_modules'), 500)`)
  const both = await Promise.all([run().ended, run().ended])
  expect(both.map(({ status }) => status)).toEqual([0, 0])
  expect(await npmCalls()).toHaveLength(1)
})

test('when it is killed in the middle, npm ends too, and the next start begins again', async () => {
  await npmDoes(
    `fs.mkdirSync('node_modules/half', { recursive: true }); setTimeout(() => fs.writeFileSync('went-on', ''), 1500)`,
  )
  const { child, ended } = run()
  await expect.poll(() => existsSync(join(project, 'node_modules/half')), { timeout: 20_000 }).toBe(true)
  child.kill('SIGKILL')
  await ended
  await npmDoes(`fs.mkdirSync('node_modules')`)
  expect((await run().ended).status).toBe(0)
  expect(existsSync(join(project, 'node_modules/half'))).toBe(false)
  expect(existsSync(join(project, 'went-on'))).toBe(false)
  expect(await npmCalls()).toHaveLength(2)
})

test('when npm fails, its output is shown, and the next start tries again', async () => {
  await npmDoes(`console.error('npm error network'); process.exit(1)`)
  const failed = await run().ended
  expect(failed).toMatchObject({ status: 1, said: expect.stringContaining('npm error network') })
  expect(failed.said).toContain('The packages could not be installed')
  await npmDoes(`fs.mkdirSync('node_modules', { recursive: true })`)
  expect((await run().ended).status).toBe(0)
})

test('an old system Node works only if the packages include Node', async () => {
  const old = join(project, 'old-node.cjs')
  await writeFile(
    old,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })
     Object.defineProperty(process, 'version', { value: 'v20.1.0' })`,
  )
  const refused = await run(['--require', old]).ended
  expect(refused.status).toBe(1)
  expect(refused.said).toContain('and its own is v20.1.0: install Node 24.7 or newer and try again.')
  await mkdir(join(project, 'node_modules/.bin'), { recursive: true })
  await cp(process.execPath, join(project, 'node_modules/.bin/node'))
  expect(await run(['--require', old]).ended).toEqual({ status: 0, said: '' })
})

test('a packaged Node that does not run here is removed in favor of the system Node', async () => {
  await npmDoes(
    `fs.mkdirSync('node_modules/.bin', { recursive: true })
     fs.writeFileSync('node_modules/.bin/node', '#!/nowhere/ld-musl', { mode: 0o755 })`,
  )
  expect((await run().ended).status).toBe(0)
  expect(existsSync(join(project, 'node_modules/.bin/node'))).toBe(false)
})
