/*
 * Attacks a running installation, or one that it starts for this, and prints what held. Exits with 1 when anything did
 * not hold, and with 2 for an address that is not on this machine.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startProgram } from '#tests/support/program.ts'
import { markdownTable } from '#workshop/bench/report.ts'
import type { Attack, Target } from './attack.ts'
import { authorization } from './authorization.ts'
import { signIn } from './client.ts'
import { dryRuns } from './dry-runs.ts'
import { floods } from './floods.ts'
import { forgedWebhooks } from './forged-webhooks.ts'
import { guessing } from './guessing.ts'
import { injection } from './injection.ts'
import { mutatedFiles } from './mutated-files.ts'
import { nestedJson } from './nested-json.ts'
import { oddBodiesAttack } from './odd-bodies.ts'
import { slowReaderAttacks } from './slow-readers.ts'
import { goneSellers } from './strangers/gone-sellers.ts'
import { lookAlikeNames } from './strangers/look-alike-names.ts'
import { mailLimits } from './strangers/mail-limits.ts'
import { numberClaims } from './strangers/number-claims.ts'
import { unconfirmedReports } from './strangers/reports.ts'
import { tokensAfterwards } from './strangers/tokens.ts'
import { viewFloods } from './view-floods.ts'

const attacks: readonly Attack[] = [
  // First, since their limit is the memory of the whole process: after a flood it takes a minute to shrink again.
  ...slowReaderAttacks,
  authorization,
  injection,
  forgedWebhooks,
  guessing,
  viewFloods,
  numberClaims,
  goneSellers,
  unconfirmedReports,
  lookAlikeNames,
  mailLimits,
  tokensAfterwards,
  nestedJson,
  oddBodiesAttack,
  mutatedFiles,
  dryRuns,
  ...floods,
]

const USAGE = `Usage: npm run attack -- [http://127.0.0.1:PORT] [--only words] [--admin-token TOKEN]
  Without an address, PartHarbor is started with demo data, and removed afterward.
  --only         the attacks whose name contains these words
  --admin-token  an administrator's, for an installation without demo data`

/** As in production: addresses are confirmed by links, and a new seller's first import waits. */
const ATTACKED = { DEMO_CONFIRM: 'off', FIRST_IMPORT_LIVE: '5', FIRST_IMPORT_WAIT_MINUTES: '60' }

const HOSTS = ['127.0.0.1', 'localhost']

function refuse(reason: string): never {
  console.error(`${reason}\n${USAGE}`)
  process.exit(2)
}

/** An address of this machine; anything else belongs to someone, and this program does harm. */
function ownAddress(text: string): string {
  if (!URL.canParse(text)) refuse(`${text} is not an address.`)
  const { protocol, hostname, origin } = new URL(text)
  if (protocol !== 'http:' || !HOSTS.includes(hostname)) {
    refuse(`Only installations on this machine may be attacked (http://127.0.0.1:PORT), not ${text}.`)
  }
  // Attackers come from 127.0.0.x, which an IPv6 address of localhost does not receive.
  return origin.replace('//localhost', '//127.0.0.1')
}

async function demoAdmin(url: string): Promise<string | undefined> {
  const reply = await signIn(url, {
    name: '',
    email: 'admin@partharbor.example',
    password: 'harbor-demo-1',
  })
  return (reply.body as { token?: string } | undefined)?.token
}

async function runAttack({ name, run }: Attack, target: Target): Promise<string[]> {
  console.log(`${name} …`)
  const began = performance.now()
  const { held, figure } = await run(target).catch((error: unknown) => ({
    held: false,
    figure: `did not run: ${error instanceof Error ? error.message : String(error)}`,
  }))
  const seconds = `${((performance.now() - began) / 1000).toFixed(1)} s`
  return [name, held ? 'held' : '**did not hold**', figure.replaceAll('|', '/'), seconds]
}

async function attackAll(url: string, { only = '', adminToken }: { only?: string; adminToken?: string }) {
  const token = adminToken ?? (await demoAdmin(url))
  const target: Target = token === undefined ? { url } : { url, adminToken: token }
  const rows: string[][] = []
  for (const attack of attacks.filter(({ name }) => name.includes(only))) {
    rows.push(await runAttack(attack, target))
  }
  console.log(`\n${markdownTable(['attack', '', 'figure', 'took'], rows)}\n`)
  return rows.length > 0 && rows.every(([, held]) => held === 'held')
}

async function withOwnInstallation(work: (url: string) => Promise<boolean>): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partharbor-attack-'))
  const program = startProgram({ settings: { DATA_DIR: dataDir, PORT: '0', ...ATTACKED } })
  try {
    return await work(ownAddress(await program.ready))
  } finally {
    program.child.kill('SIGTERM')
    await program.ended
    await rm(dataDir, { recursive: true, force: true })
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, 'admin-token': { type: 'string' } },
})
const [address] = positionals
const options = {
  ...(values.only !== undefined && { only: values.only }),
  ...(values['admin-token'] !== undefined && { adminToken: values['admin-token'] }),
}
const allHeld =
  address === undefined
    ? await withOwnInstallation((url) => attackAll(url, options))
    : await attackAll(ownAddress(address), options)
process.exit(allHeld ? 0 : 1)
