import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { LookupQuestionKey } from './lookup-names.ts'

export type LookupQuestion = Pick<LookupQuestionKey, 'kind' | 'manufacturerId'> & { readonly typed: string }

export async function listQuestionKeys(db: Db): Promise<LookupQuestionKey[]> {
  const { rows } = await sql<LookupQuestionKey>`
    select kind, manufacturer_id as "manufacturerId", typed_key as key from lookup_question
  `.execute(db)
  return rows
}

/** Asks once, however many files have the name; in the order of the keys, so that two files never wait in a circle. */
export async function insertQuestions(
  trx: Db,
  fileId: string,
  questions: readonly LookupQuestion[],
): Promise<void> {
  await sql`
    insert into lookup_question (kind, manufacturer_id, typed, file_id)
    select kind, manufacturer_id, typed, ${fileId}
    from unnest(${questions.map(({ kind }) => kind)}::text[],
                ${questions.map(({ manufacturerId }) => manufacturerId)}::uuid[],
                ${questions.map(({ typed }) => typed)}::text[]) as q(kind, manufacturer_id, typed)
    order by kind, manufacturer_id, name_key(typed)
    on conflict on constraint lookup_question_once do nothing
  `.execute(trx)
}

/** The decision is made. */
export async function deleteQuestion(trx: Db, question: LookupQuestion): Promise<void> {
  await sql`
    delete from lookup_question
    where kind = ${question.kind} and manufacturer_id is not distinct from ${question.manufacturerId}::uuid
      and typed_key = name_key(${question.typed})
  `.execute(trx)
}
