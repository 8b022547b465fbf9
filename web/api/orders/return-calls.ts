import { currentSession } from '#web/api/session.ts'
import { type OrderKey, type Outcome, outcomeOf, readFile } from './order-calls.ts'

/* The calls of a buyer's returns: loaded with them, as few orders have one. */

/** The core slip as a PDF. */
export const readCoreSlip = (key: OrderKey) => readFile('/orders/core-slip.pdf', key)

/** A photo that the buyer added: nobody else's link opens it. */
export const readPhoto = (key: OrderKey, photoId: string) => readFile('/orders/photo', { ...key, photoId })

/** Adds a photo, to be sent with a return or claim. */
export async function addPhoto(key: OrderKey, image: File): Promise<Outcome<{ id: string }>> {
  const form = new FormData()
  for (const [name, value] of Object.entries(key)) form.append(name, value)
  form.append('image', image)
  const { token } = currentSession()
  const headers = {
    accept: 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const response = await fetch('/api/orders/photos', { method: 'POST', headers, body: form }).catch(
    () => undefined,
  )
  return outcomeOf(response)
}
