/** A value of a form: text, or what stands below a name. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue }
export type FormFields = { [name: string]: FormValue }

type Branch = Map<string, Branch | string>

// Deeper and longer than anything the SDK sends for the calls that exist here.
const DEEPEST = 8
const MOST_FIELDS = 500

/**
 * Reads a form or query as Stripe's API does: `line_items[0][price]=price_1&expand[]=customer` become objects and lists.
 * Undefined when it is none.
 */
export function readFormFields(text: string): FormFields | undefined {
  const root: Branch = new Map()
  const pairs = [...new URLSearchParams(text)]
  if (pairs.length > MOST_FIELDS) return undefined
  for (const [name, value] of pairs) {
    const path = pathOf(name)
    if (!path || !plant(root, path, value)) return undefined
  }
  return Object.fromEntries([...root].map(([name, value]) => [name, harvest(value)]))
}

/** `a[b][0]` → a, b, 0 */
function pathOf(name: string): string[] | undefined {
  if (!/^[^[\]]+(\[[^[\]]*\])*$/.test(name)) return undefined
  const path = name.replaceAll(']', '').split('[')
  return path.length <= DEEPEST ? path : undefined
}

function plant(root: Branch, path: readonly string[], value: string): boolean {
  let branch = root
  for (const [depth, step] of path.entries()) {
    const name = step === '' ? String(branch.size) : step
    if (depth === path.length - 1) {
      if (branch.has(name)) return false
      branch.set(name, value)
      return true
    }
    const next = branch.get(name) ?? new Map()
    if (typeof next === 'string') return false
    branch.set(name, next)
    branch = next
  }
  return false
}

function harvest(value: Branch | string): FormValue {
  if (typeof value === 'string') return value
  const entries = [...value].map(([name, inner]): [string, FormValue] => [name, harvest(inner)])
  const isList = entries.every(([name], place) => name === String(place))
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}
