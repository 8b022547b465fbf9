import { sql } from 'kysely'
import { openDatabase } from '#server/platform/database/database.ts'
import { startedApp } from './story.ts'

/** Makes a parcel older than it is: a story cannot wait a week. */
export async function ageShipment(orderId: string, days: number): Promise<void> {
  const url = startedApp().settings.DATABASE_URL ?? ''
  const { db, close } = openDatabase(url, { applicationName: 'stories', max: 1 })
  await sql`
    update part_order set shipped_at = shipped_at - make_interval(days => ${days}) where id = ${orderId}`.execute(
    db,
  )
  await close()
}
