import { nobodysHash } from '#server/features/accounts/passwords.ts'
import { sellerSlugWords } from '#server/features/accounts/registration.ts'
import { daysBefore } from './demo-moment.ts'
import type { DemoSeller } from './demo-sellers.ts'
import { demoEmails } from './demo-sign-ins.ts'

/** A person of the demo data with their yard, as the database gets it. */
export type DemoAccount = ReturnType<typeof demoAccount>

export function demoAccount(
  seller: DemoSeller,
  { today, passwordHash }: { today: number; passwordHash: string },
) {
  const { name, town, phone, tier } = seller
  const signsIn = Object.values<string>(demoEmails).includes(seller.email)
  return {
    email: seller.email,
    person: seller.person,
    // No password fits the yards' hash: they are there to be looked at.
    passwordHash: signsIn ? passwordHash : nobodysHash,
    role: seller.role,
    yard: name,
    slugWords: sellerSlugWords(name),
    tier,
    subscriptionStatus: tier === 'PAID' ? 'ACTIVE' : 'INACTIVE',
    connectStatus: seller.connectStatus,
    trusted: seller.trusted,
    showsPhone: seller.showsPhone,
    timeZone: town.timeZone,
    listingDefaults:
      seller.listings === 0
        ? {}
        : { city: town.city, state: town.state, dealerName: name, dealerPhone: phone, grade: 'B' },
    city: town.city,
    state: town.state,
    zip: town.zip,
    latitude: town.latitude,
    longitude: town.longitude,
    createdAt: daysBefore(today, seller.memberForDays),
  }
}
