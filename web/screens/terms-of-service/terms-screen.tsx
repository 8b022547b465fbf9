import { useProductName } from '#web/api/site.ts'
import { Page } from '#web/components/page/page.tsx'
import { Prose } from '#web/components/page/prose.tsx'

export function Component() {
  const name = useProductName()
  return (
    <Page title="Terms of Service" lead="What you may expect of us, and we of you." width="text">
      <Prose>
        <h2>What this is</h2>
        <p>
          {name} is a place where sellers list used and OEM auto parts and people find them. A sale is a
          contract between buyer and seller; we are not a party to it.
        </p>
        <h2>If you sell</h2>
        <ul>
          <li>List only parts that you have and may sell. Parts of stolen vehicles are reported.</li>
          <li>Describe them as they are: grade, faults, and what they fit as far as you know it.</li>
          <li>
            Safety parts that the law forbids to resell, such as deployed airbags and recalled parts, do not
            belong here.
          </li>
          <li>
            What you write and the pictures you upload remain yours. You let us show them here and promote
            them.
          </li>
        </ul>
        <h2>If you buy</h2>
        <p>
          Ask before you pay. Agree on shipping and returns with the seller. If a listing is not what it says,
          tell us.
        </p>
        <h2>Plans</h2>
        <p>
          Starter Seller costs nothing. Pro Seller costs $149 per month from the day you subscribe, and can be
          ended at any time for the month that follows.
        </p>
        <h2>What we may do</h2>
        <p>
          We may hide a listing or close an account that breaks these terms or the law. We will say why, and
          you can answer.
        </p>
        <h2>What we do not promise</h2>
        <p>
          We work on bringing people to your parts. We promise neither sales nor earnings, and no service is
          up at every hour.
        </p>
      </Prose>
    </Page>
  )
}
