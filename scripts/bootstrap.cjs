/*
 * Installs what package-lock.json names, once. Runs before every command of package.json under whatever Node the machine
 * has, so it is plain old JavaScript and needs no package. When nothing changed it is over in a few milliseconds.
 */
'use strict'
const { spawn, spawnSync } = require('node:child_process')
const { createHash } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')

const ROOT = path.resolve(__dirname, '..')
const MODULES = path.join(ROOT, 'node_modules')
const OWN_NODE = path.join(MODULES, '.bin', 'node')
const STAMP = path.join(MODULES, '.install-stamp')
// Beside node_modules, since an interrupted install removes that folder.
const UNFINISHED = path.join(ROOT, '.cache', 'install-unfinished')
const LOCK = path.join(ROOT, '.cache', 'install-lock')

// Runs our TypeScript as it is, and has Argon2; the packages bring one for the usual platforms.
const OLDEST_NODE = [24, 7]
const BEAT_MS = 500
// A holder of the lock touches it twice a second; one that did not for so long was killed.
const DEAD_AFTER_MS = 5000

function fingerprint() {
  const lockfile = fs.readFileSync(path.join(ROOT, 'package-lock.json'))
  // The platform belongs to it: a folder shared with a container holds the binaries of one of them only.
  return createHash('sha256').update(lockfile).update(`${process.platform} ${process.arch}`).digest('hex')
}

function isInstalled(wanted) {
  try {
    return fs.readFileSync(STAMP, 'utf8') === wanted && !fs.existsSync(UNFINISHED)
  } catch {
    return false
  }
}

function end(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

/** With neither our Node nor a new one on the machine, nothing could run: one sentence instead of a syntax error. */
function requireNode() {
  const own = fs.existsSync(OWN_NODE)
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (own || major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return
  const oldest = OLDEST_NODE.join('.')
  end(
    `No Node ${oldest} among the packages runs on this machine (${process.platform} ${process.arch}), and its own is ` +
      `${process.version}: install Node ${oldest} or newer and try again.`,
  )
}

/** Two starts at once: one installs, the other waits for it and then finds everything done. */
async function takeLock() {
  let waits = false
  const token = `${process.pid} ${Date.now()} ${Math.random()}`
  for (;;) {
    try {
      fs.writeFileSync(LOCK, token, { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (!waits) process.stderr.write('Waiting for another start, which is installing packages …\n')
    waits = true
    if (lockAge() > DEAD_AFTER_MS) fs.rmSync(LOCK, { force: true })
    else await pause(BEAT_MS)
  }
  // Two may have found the same dead lock, and one have removed the fresh lock of the other.
  await pause(50)
  if (readLock() !== token) return takeLock()
  const beat = setInterval(() => fs.utimes(LOCK, new Date(), new Date(), () => undefined), BEAT_MS)
  return () => {
    clearInterval(beat)
    if (readLock() === token) fs.rmSync(LOCK, { force: true })
  }
}

function readLock() {
  try {
    return fs.readFileSync(LOCK, 'utf8')
  } catch {
    return ''
  }
}

function lockAge() {
  try {
    return Date.now() - fs.statSync(LOCK).mtimeMs
  } catch {
    return 0
  }
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

// npm lives for as long as we hold its guard's standard input open: killed at any moment, we leave no npm behind that
// would go on writing into a folder the next start is repairing.
const GUARD = `
"$@" </dev/null & npm=$!
exec >/dev/null 2>&1
read -r _
kill -9 "$npm"
wait "$npm"
`

/** Runs npm without a word; its messages are shown only when it fails. Resolves with its exit code. */
function runNpm() {
  const guard = spawn('/bin/sh', ['-c', GUARD, 'install-guard', ...npmCommand()], { cwd: ROOT })
  let output = ''
  guard.stdin.on('error', () => undefined)
  guard.stdout.on('data', (data) => (output += data))
  guard.stderr.on('data', (data) => (output += data))
  guard.stderr.on('close', () => guard.stdin.end())
  // The npm that started us was killed: nobody waits for this installation.
  const parent = process.ppid
  const watch = setInterval(() => process.ppid !== parent && process.exit(1), BEAT_MS)
  return new Promise((resolve) => {
    guard.on('error', (error) => {
      output += error.message
      resolve(1)
    })
    guard.on('close', (code) => {
      clearInterval(watch)
      if (code !== 0) process.stderr.write(`\n${output.trim()}\n`)
      resolve(code)
    })
  })
}

function npmCommand() {
  const options = [
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--include=dev',
    '--include=optional',
  ]
  // No package of ours needs its install script, so none gets to run one.
  const install = ['install', '--ignore-scripts', ...options]
  const { npm_execpath: npm, npm_node_execpath: node } = process.env
  if (!npm || !/npm-cli\.[cm]?js$/.test(npm)) return ['npm', ...install]
  // The Node that npm itself runs on: ours lies in the folder that is about to change.
  return [node || process.execPath, npm, ...install]
}

async function install(wanted) {
  const begin = Date.now()
  process.stderr.write('Installing packages, once: about a minute … ')
  // npm takes half-unpacked packages for complete ones, so after an interruption it starts over.
  if (fs.existsSync(UNFINISHED)) fs.rmSync(MODULES, { recursive: true, force: true })
  fs.writeFileSync(UNFINISHED, '')
  if ((await runNpm()) !== 0)
    end('The packages could not be installed; see the message from npm above. Is the network reachable?')
  // A platform may take our Node and still not run it (another C library): then the machine's own must do.
  if (fs.existsSync(OWN_NODE) && spawnSync(OWN_NODE, ['--version']).status !== 0)
    fs.rmSync(OWN_NODE, { force: true })
  fs.writeFileSync(STAMP, wanted)
  fs.rmSync(UNFINISHED, { force: true })
  process.stderr.write(`done in ${Math.round((Date.now() - begin) / 1000)} s\n`)
}

async function main() {
  const wanted = fingerprint()
  if (!isInstalled(wanted)) {
    fs.mkdirSync(path.dirname(LOCK), { recursive: true })
    const release = await takeLock()
    if (!isInstalled(wanted)) await install(wanted)
    release()
  }
  requireNode()
  process.exit(0)
}

main().catch((error) =>
  end(
    ['EACCES', 'EROFS', 'EPERM'].includes(error.code)
      ? `The packages are not installed, and this user may not write to ${ROOT}. Run "npm run build" there once as the owner of the folder, and again after each upgrade.`
      : `The packages could not be installed: ${error.message}`,
  ),
)
