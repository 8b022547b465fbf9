import { loadTaxonomyNames } from '#server/features/stock-files/match/taxonomy-queries.ts'
import { knownNames } from '#server/features/writing/known-names.ts'
import { openUseLedger } from '#server/features/writing/open-use-ledger.ts'
import { openWriter } from '#server/features/writing/open-writer.ts'
import type { Writer } from '#server/features/writing/writer.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { OpenAiAccess } from '#server/platform/scripts/script-program.ts'

type Wish = {
  readonly openai: OpenAiAccess
  /** Whether the language model may write, where there is one. */
  readonly useModel: boolean
  readonly signal: AbortSignal
  readonly jobId: string
}

/** Who writes, and who does where a text of theirs was refused; what both write is held against the lookups' names. */
export async function openWriters(
  db: Db,
  { openai, useModel, signal, jobId }: Wish,
): Promise<{ writer: Writer; fallback: Writer }> {
  const { categories, manufacturers, models } = await loadTaxonomyNames(db)
  const confirmed = [...categories, ...manufacturers, ...models].filter((name) => name.confirmed)
  const checking = { known: knownNames(confirmed) }
  const ledger = await openUseLedger(db, jobId)
  const writing = { model: 'gpt-4o' as const, signal, ledger, checking }
  const fallback = await openWriter({ apiKey: undefined, baseUrl: undefined }, writing)
  const hasModel = useModel && openai.apiKey !== undefined
  return { writer: hasModel ? await openWriter(openai, writing) : fallback, fallback }
}
