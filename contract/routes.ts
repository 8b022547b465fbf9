import { accountEndpoints } from './accounts.ts'
import { adminListingEndpoints } from './admin-listings.ts'
import { adminLookupEndpoints } from './admin-lookups.ts'
import { adminPeopleEndpoints } from './admin-people.ts'
import { analyticsEndpoints } from './analytics.ts'
import { automationEndpoints } from './automation.ts'
import { billingEndpoints } from './billing.ts'
import { importEndpoints } from './imports.ts'
import { jobScheduleEndpoints } from './job-schedules.ts'
import { landingEndpoints } from './landing.ts'
import { leadEndpoints } from './leads.ts'
import { listingEndpoints } from './listings.ts'
import { lookupEndpoints } from './lookups.ts'
import { siteEndpoints } from './site.ts'
import { promotionEndpoints, stagingEndpoints } from './staging.ts'
import { stagingDeskEndpoints } from './staging-desk.ts'
import { taxonomyEndpoints } from './taxonomy.ts'
import { webVitalEndpoints } from './web-vitals.ts'

/** Every call of the API on one page. A route that is not in this table does not exist. */
export const routes = {
  ...accountEndpoints,
  ...adminPeopleEndpoints,
  ...lookupEndpoints,
  ...adminLookupEndpoints,
  ...listingEndpoints,
  ...adminListingEndpoints,
  ...importEndpoints,
  ...stagingEndpoints,
  ...promotionEndpoints,
  ...stagingDeskEndpoints,
  ...taxonomyEndpoints,
  ...automationEndpoints,
  ...jobScheduleEndpoints,
  ...billingEndpoints,
  ...landingEndpoints,
  ...leadEndpoints,
  ...analyticsEndpoints,
  ...siteEndpoints,
  ...webVitalEndpoints,
}
