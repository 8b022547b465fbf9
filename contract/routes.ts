import { accountEndpoints } from './accounts.ts'
import { listingEndpoints } from './listings.ts'
import { lookupEndpoints } from './lookups.ts'
import { siteEndpoints } from './site.ts'

/** Every call of the API on one page. A route that is not in this table does not exist. */
export const routes = {
  ...accountEndpoints,
  ...lookupEndpoints,
  ...listingEndpoints,
  ...siteEndpoints,
}
