import { expect, test } from 'vitest'
import { otherRoutes, routes } from '#contract/routes.ts'
import { startTestApp } from '#tests/support/test-app.ts'

// Payments and the outbox have addresses of their own, so this app has both.
const app = await startTestApp()

/** The routes Fastify has registered, read from its printed tree: a line is the rest of an address and its methods. */
function registeredRoutes(tree: string): string[] {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S+) \((.*)\)$/.exec(line) ?? []
    const depth = indent.length / 4
    above[depth] = (above[depth - 1] ?? '') + part
    const address = above[depth].replaceAll(/:(\w+)/g, '{$1}')
    return methods.split(', ').map((method) => `${method} ${address}`)
  })
}

// Fastify adds HEAD wherever there is a GET, and OPTIONS for other origins; the API page serves its own files.
const isOwn = (route: string) => !/^(HEAD|OPTIONS) |^GET \/api\/docs\W/.test(route)

test('the contract’s route table lists exactly the routes that Fastify has', () => {
  const tree = app.http.printRoutes({ commonPrefix: false }).trim()
  const calls = Object.values(routes).map(([method, path]) => `${method} /api${path}`)
  const others = Object.values(otherRoutes).map(([method, path]) =>
    `${method} ${path}`.replace('{file}', '*'),
  )
  expect(registeredRoutes(tree).filter(isOwn).sort()).toEqual([...calls, ...others].sort())
})
