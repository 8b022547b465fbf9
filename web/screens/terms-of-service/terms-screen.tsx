import { paths } from '#web/paths.ts'
import { Head, useSiteFacts } from '#web/site/head.tsx'
import { Page, Prose } from '#web/site/page.tsx'

export function Component() {
  const { productName: name, proPrice } = useSiteFacts()
  return (
    <Page heading="Terms of Service" lead="What you can expect from us, and we from you." width="text">
      <Head
        title="Terms of Service"
        description="What buyers and sellers of used auto parts can expect from us, and we from them."
        canonical={paths.terms}
      />
      <Prose>
        <h2>What this is</h2>
        <p>
          {name} is a marketplace where sellers list used and OEM auto parts. A sale is a contract between
          buyer and seller; we are not a party to it.
        </p>
        <h2>If you sell</h2>
        <ul>
          <li>List only parts you have and are allowed to sell. We report parts from stolen vehicles.</li>
          <li>Describe them accurately: grade, flaws, and what they fit as far as you know.</li>
          <li>
            Do not list safety parts that are illegal to resell, such as deployed airbags and recalled parts.
          </li>
          <li>Your text and pictures remain yours. You allow us to show them here and to promote them.</li>
        </ul>
        <h2>If you buy</h2>
        <p>
          Ask questions before you pay. Agree on shipping and returns with the seller. If a listing is
          misleading, let us know.
        </p>
        <h2>Plans</h2>
        <p>
          Starter Seller is free. Pro Seller costs {proPrice} per month from the day you subscribe. Cancel any
          time; your plan runs through the end of the billing period.
        </p>
        <h2>What we may do</h2>
        <p>
          We may hide a listing or close an account that breaks these terms or the law. We will explain why,
          and you can respond.
        </p>
        <h2>What we do not promise</h2>
        <p>
          We work to bring buyers to your parts. We do not promise sales, earnings or uninterrupted service.
        </p>
      </Prose>
    </Page>
  )
}
