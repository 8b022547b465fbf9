import { paths } from '#web/paths.ts'
import { Head, useSiteFacts } from '#web/site/head.tsx'
import { Page, Prose } from '#web/site/page.tsx'

export function Component() {
  const { productName: name, proPrice, orders } = useSiteFacts()
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
        {orders && <BuyingOnline name={name} />}
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

/** Only where parts can be bought here. */
function BuyingOnline({ name }: { name: string }) {
  return (
    <>
      <h2>If you buy or sell online</h2>
      <ul>
        <li>
          {name} takes the payment for the seller and appears on your card statement. It holds the money until
          the part is delivered, and then pays the seller.
        </li>
        <li>
          You buy from the seller, who describes the part, ships it, and keeps the terms of the listing. Your
          order has a copy of them; later changes of the listing don’t change your order.
        </li>
        <li>
          Most sellers look for the part first. If they don’t confirm in time, or can’t find it, you pay
          nothing. If it was paid already, you get all of it back.
        </li>
        <li>
          The seller ships by the day that you saw before paying. If that day passes, you can wait or get all
          of your money back; without your answer, we refund you.
        </li>
        <li>
          A part that isn’t reported as missing within 14 days after it was shipped counts as delivered. A
          part that isn’t picked up within 10 days is refunded and sold again.
        </li>
        <li>
          Sellers pay a share of the price of the parts for each order, at least $1. They see and accept it
          when they start to sell online. It is given back with the price if a part is refunded.
        </li>
        <li>
          Some parts may not be sold from or shipped to some states. We refuse such orders, and can stop an
          order that looks like fraud until it is checked.
        </li>
        <li>Arranging payment around us for a part with a “Buy” button is not allowed.</li>
      </ul>
    </>
  )
}
