import { CreateListingForm } from '#web/components/listing-form/create-listing-form.tsx'
import { SellerListingNav } from '#web/components/listing-nav.tsx'
import { Page } from '#web/components/page/page.tsx'

export function Component() {
  return (
    <Page title="Data-table Listing" lead="A text-only listing for parts that don’t need a picture.">
      <SellerListingNav />
      <CreateListingForm kind="quick" label="Quick listing" />
    </Page>
  )
}
