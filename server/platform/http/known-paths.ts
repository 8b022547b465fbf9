import type { Endpoint } from '#contract/endpoint.ts'

type KnownPath = Pick<Endpoint, 'method' | 'path'>

/** Tells the methods that the API takes at a path, so that a wrong one is answered 405 and not 404. */
export function methodsByPath(table: Readonly<Record<string, KnownPath>>): (path: string) => string[] {
  const patterns = Object.values(table).map((endpoint) => ({
    method: endpoint.method,
    path: new RegExp(`^/api${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
  }))
  return (path) => [
    ...new Set(patterns.filter((pattern) => pattern.path.test(path)).map((pattern) => pattern.method)),
  ]
}
