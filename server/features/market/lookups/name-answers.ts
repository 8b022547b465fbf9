import { sql } from 'kysely'
import { lookupKey } from '#contract/trade-language/names.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { LookupKind } from './lookup-kind.ts'

/* A yard's answers to what names in its files mean: asked once, then used for all of its files. */

/** The answer of a yard that does not want the parts with a name listed. */
export const LEAVE_OUT = ''

/** `means` is the name of a lookup, null for a new name, or `LEAVE_OUT`. */
export type NameAnswer = {
  readonly kind: LookupKind
  readonly typed: string
  /** For a category, the type of part; for a model, the manufacturer's name. */
  readonly about: string
  readonly means: string | null
}

/** A yard's answers, matched ignoring case and spaces. */
export class NameAnswers {
  readonly #means: ReadonlyMap<string, string | null>

  constructor(answers: readonly NameAnswer[]) {
    this.#means = new Map(answers.map((answer) => [keyOf(answer), answer.means]))
  }

  /** Returns the lookup's name, null for a new one, `LEAVE_OUT`, or undefined if there is no answer. */
  find(asked: Omit<NameAnswer, 'means'>): string | null | undefined {
    return this.#means.size === 0 ? undefined : this.#means.get(keyOf(asked))
  }
}

const keyOf = ({ kind, typed, about }: Omit<NameAnswer, 'means'>) =>
  `${kind}\n${lookupKey(typed)}\n${lookupKey(about)}`

export async function loadNameAnswers(db: Db, sellerId: string): Promise<NameAnswers> {
  const { rows } = await sql<NameAnswer>`
    select kind, typed, about, means from name_answer where seller_id = ${sellerId}
  `.execute(db)
  return new NameAnswers(rows)
}

/** A later answer replaces an earlier one. Written in key order to prevent deadlocks. */
export async function saveNameAnswers(
  trx: Db,
  sellerId: string,
  { answers, answeredBy }: { answers: readonly NameAnswer[]; answeredBy: string },
): Promise<void> {
  if (answers.length === 0) return
  await sql`
    insert into name_answer (seller_id, kind, typed, about, means, answered_by)
    select distinct on (kind, name_key(typed), name_key(about)) ${sellerId}, kind, typed, about, means, ${answeredBy}
    from unnest(${answers.map(({ kind }) => kind)}::text[], ${answers.map(({ typed }) => typed)}::text[],
                ${answers.map(({ about }) => about)}::text[], ${answers.map(({ means }) => means)}::text[])
           with ordinality as a(kind, typed, about, means, place)
    order by kind, name_key(typed), name_key(about), place desc
    on conflict on constraint name_answer_once
    do update set means = excluded.means, answered_by = excluded.answered_by, answered_at = now()
  `.execute(trx)
}
