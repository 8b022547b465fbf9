import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint, EndpointTable } from '#contract/endpoint.ts'

const CONTRACT = join(import.meta.dirname, '../../contract')

/** Every call of the API with its details, by name. Read from the folder, so that a new file is attacked, too. */
export async function everyCall(): Promise<[name: string, endpoint: Endpoint][]> {
  const calls: [string, Endpoint][] = []
  for (const file of globSync('**/*.ts', { cwd: CONTRACT }).toSorted()) {
    if (file.includes('.test.')) continue
    const exported: Record<string, unknown> = await import(join(CONTRACT, file))
    for (const [name, table] of Object.entries(exported)) {
      if (name.endsWith('Endpoints')) calls.push(...Object.entries(table as EndpointTable))
    }
  }
  return calls
}

const NOBODY = '00000000-0000-7000-8000-000000000000'

/** The path of a call below the installation's address, with something for each of its parameters. */
export function pathOf(path: string, values: Record<string, string> = {}): string {
  const usual: Record<string, string> = {
    page: '1',
    slug: 'no-such-part',
    kind: 'category',
    key: 'no-such-queue',
  }
  return `/api${path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? usual[name] ?? NOBODY))}`
}
