import type { TestApp } from './test-app.ts'

/** Everything the database knows of a seller's imports. */
export async function ledgerOf({ db }: Pick<TestApp, 'db'>, sellerId: string) {
  const count = async (table: 'import_chunk' | 'import_segment') =>
    (
      await db
        .selectFrom(table)
        .innerJoin('import', 'import.id', `${table}.import_id`)
        .where('seller_id', '=', sellerId)
        .select('import_id')
        .execute()
    ).length
  const inTable = async (table: 'import' | 'staging_file' | 'promotion') =>
    (await db.selectFrom(table).where('seller_id', '=', sellerId).select('id').execute()).length
  return {
    imports: await inTable('import'),
    chunks: await count('import_chunk'),
    segments: await count('import_segment'),
    files: await inTable('staging_file'),
    promotions: await inTable('promotion'),
  }
}
