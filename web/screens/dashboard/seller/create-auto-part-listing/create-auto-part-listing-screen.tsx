import { CreateListingForm } from '#web/components/listing-form/create-listing-form.tsx'
import { SellerListingNav } from '#web/components/listing-nav.tsx'
import { Page } from '#web/components/page/page.tsx'

export function Component() {
  return (
    <Page
      title="E-commerce Listing"
      lead="One part with a picture, a price and the details buyers ask about."
    >
      <SellerListingNav />
      <CreateListingForm kind="ecommerce" label="E-commerce listing" />
    </Page>
  )
}
