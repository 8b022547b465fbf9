import {
  communicationPrefs,
  listingDefaults,
  notificationPrefs,
  type User,
  userReply,
} from '#contract/accounts.ts'
import type { ProfileRow } from './queries.ts'

/** The user as the API shows them to themselves. Every field is named: a new column does not leave by itself. */
export function presentUser(row: ProfileRow): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    createdAt: row.createdAt.toISOString(),
    sellerId: row.sellerId,
    sellerSlug: row.sellerSlug,
    sellerTier: userReply.shape.sellerTier.parse(row.tier),
    subscriptionStatus: userReply.shape.subscriptionStatus.parse(row.subscriptionStatus),
    subscriptionId: row.subscriptionId,
    subscriptionPriceId: row.subscriptionPriceId,
    subscriptionEndsAt: row.subscriptionEndsAt?.toISOString() ?? null,
    connectStatus: userReply.shape.connectStatus.parse(row.connectStatus),
    royaltyPercent: row.royaltyPercent,
    stripeCustomerId: row.stripeCustomerId,
    stripe_seller: { charges_enabled: row.chargesEnabled },
    listingDefaults: listingDefaults.parse(row.listingDefaults),
    notificationPrefs: notificationPrefs.parse(row.notificationPrefs),
    communicationPrefs: communicationPrefs.parse({
      showPhonePublicly: row.showPhonePublicly,
      preferredContact: row.preferredContact,
    }),
  }
}
