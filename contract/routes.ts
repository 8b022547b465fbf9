import { accountEndpoints } from './accounts.ts'
import { importEndpoints } from './imports.ts'
import { listingEndpoints } from './listings.ts'
import { lookupEndpoints } from './lookups.ts'
import { siteEndpoints } from './site.ts'
import { promotionEndpoints, stagingEndpoints } from './staging.ts'

/** Every call of the API on one page. A route that is not in this table does not exist. */
export const routes = {
  ...accountEndpoints,
  ...lookupEndpoints,
  ...listingEndpoints,
  ...importEndpoints,
  ...stagingEndpoints,
  ...promotionEndpoints,
  ...siteEndpoints,
}
