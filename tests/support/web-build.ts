import { buildWebIfChanged } from '#server/commands/web-build.ts'

/** The API's tests read real pages, which the server renders with what was built. */
export default function setup(): Promise<void> {
  return buildWebIfChanged()
}
