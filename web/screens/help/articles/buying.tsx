import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { useSiteFacts } from '#web/site/head.tsx'

export function Buying() {
  const { productName } = useSiteFacts()
  return (
    <>
      <p>
        Yards that sell online have a “Buy” button on their parts. For all others, write to the yard on the
        part’s page and agree on how to pay. You don’t need an account for either.
      </p>
      <h2>Before you pay</h2>
      <p>
        Enter your ZIP code, and you see the total with shipping and core charge. We ask for nothing else
        until you choose to buy. Where sales tax applies, it is added on the payment page. If the price
        changed in the meantime, we show you the new one first.
      </p>
      <h2>Paying</h2>
      <p>
        You pay by card on a page of Stripe, and {productName} never sees your card number. The part is held
        for you for about half an hour. If your bank declines, you can try again as long as the part is held.
      </p>
      <h2>The yard looks for your part</h2>
      <p>
        A used part is often still in the car. Most yards find it first and confirm within about three days.
        Until then your bank may show the amount as pending, but we have not taken it. If the yard can’t find
        the part or doesn’t answer in time, you pay nothing. Some yards sell at once: there you are charged
        right away, and get all of it back if they can’t find the part.
      </p>
      <h2>Changed your mind?</h2>
      <p>
        Cancel with a click until the yard confirms. After that, ask to cancel: the yard may agree and refund
        you, or the part may already be on its way.
      </p>
      <h2>Your order’s page</h2>
      <p>
        The link in our emails opens your order: what happens next, until when, and what it costs if it
        doesn’t. Keep it to yourself. Lost it? Enter your email on the page for orders, and we send your links
        again.
      </p>
    </>
  )
}

export function Fit() {
  return (
    <>
      <p>A part that doesn’t fit costs you a week and return shipping. Two minutes of checking save both.</p>
      <h2>Compare the number</h2>
      <p>
        The number on your old part is the best proof. Search for it: we also find parts whose numbers
        interchange, and the page says where that comes from.
      </p>
      <h2>Read what the listing says</h2>
      <p>
        Each part shows the vehicles it fits, side, engine and other details. Your order keeps what the
        listing said when you bought, even if it is edited later.
      </p>
      <h2>Enter your VIN</h2>
      <p>
        At checkout you can add the VIN of your vehicle. The yard compares it with the part and confirms the
        fit together with the order. Your order shows whether it did.
      </p>
      <h2>Not sure?</h2>
      <p>
        Ask the yard on the part’s page before you buy. Send a picture of your old part and its connectors.
      </p>
    </>
  )
}

export function ShippingAndPickup() {
  return (
    <>
      <p>
        Each part says how you get it: shipped free, shipped for a flat price, shipped for a price that the
        yard names first, or picked up.
      </p>
      <h2>Shipped</h2>
      <p>
        Before you pay, you see the day by which the yard ships. When it does, you get the carrier and, if
        there is one, a tracking number. Yards ship within the US. Some parts can’t be shipped to some states,
        such as used air bags to New York; then we say so before you pay.
      </p>
      <h2>Late?</h2>
      <p>
        If the day passes, we email you a choice: wait, or get all of your money back. If you don’t answer, we
        refund you.
      </p>
      <h2>Did it arrive?</h2>
      <p>
        Tell us with a click. We ask you after 7 and 12 days. If we hear nothing, the part counts as delivered
        14 days after it was shipped.
      </p>
      <h2>Several parts of one yard</h2>
      <p>
        Choose “Add to cart” on each part’s page, and buy them as one order: one payment, and shipping
        combined by the yard’s rule. The cart is only in your browser and holds nothing; a part is yours to
        pay for once you order. Before you pay, you choose what happens if the yard can’t find one of them: it
        sends the rest and you pay only for that, or everything is canceled and you pay nothing.
      </p>
      <h2>Shipping by quote</h2>
      <p>
        Engines and other heavy parts go as freight. Order with your address, and the yard has three days to
        name the price. You then have 48 hours to pay; until you do, the part isn’t held for you.
      </p>
      <h2>Pickup</h2>
      <p>
        When the part is ready, you get the yard’s address, its hours and a 6-digit pickup code. Say the code
        at the counter when you have the part in front of you, not earlier: it means that you have it. We
        remind you after 7 days. After 10 days you get your money back, and the part goes back on sale.
      </p>
    </>
  )
}

export function HoldsAndOffers() {
  return (
    <>
      <p>A used part is one of a kind, so only one buyer can have it at a time.</p>
      <h2>In someone’s cart</h2>
      <p>
        When a buyer goes to pay, the part is held for about half an hour. Everybody sees until when. Choose
        “Tell me if it comes back”, and we email you if it isn’t paid.
      </p>
      <h2>Limits</h2>
      <p>
        You can have two unpaid orders at a time, with ten parts in them. If you let one go without paying,
        you can’t hold the same part again for two hours.
      </p>
      <h2>Sale pending</h2>
      <p>
        The part is paid for and the yard is looking for it, or the yard accepted an offer. If that falls
        through, the part is back on sale within seconds.
      </p>
      <h2>Offers</h2>
      <p>
        Offer less than the price on the part’s page. The yard has 48 hours to accept, decline or make a
        counteroffer. If it sells online and accepts, the part is held for you for 48 hours, and we send you a
        link to pay the agreed price.
      </p>
    </>
  )
}

export function CoreCharges() {
  return (
    <>
      <p>
        Some parts, such as alternators and engines, are sold with a core charge: a deposit for your old part,
        which can be rebuilt. It is part of the total you see before you pay.
      </p>
      <h2>Getting it back</h2>
      <ol>
        <li>
          Read on your order how many days you have, counted from delivery: 30 unless the listing says
          otherwise. We remind you a week before they are over.
        </li>
        <li>Keep the box. Drain fluids, and pack the old part in the way the new one came.</li>
        <li>Download the core slip on your order’s page, and put it into the box.</li>
        <li>Bring or ship it to the yard. If you ship it, say so on the order’s page.</li>
        <li>The yard scans the slip. The charge goes back to your card, and we email you.</li>
      </ol>
      <h2>What counts as a core</h2>
      <p>
        The same kind of part, complete and rebuildable. A cracked case or missing pieces can mean less money
        or none; if the yard and you don’t agree, we decide. Ask the yard if you aren’t sure.
      </p>
      <h2>Sales tax</h2>
      <p>
        Where the core charge is taxed, the tax on it may not come back with the charge. That depends on your
        state. Your invoice says it.
      </p>
    </>
  )
}

export function Returns() {
  const { productName } = useSiteFacts()
  return (
    <>
      <p>
        Open your order from the link in our emails or from your account, and choose “Return it or report a
        problem”. Add photos if they help: only the yard and {productName} see them.
      </p>
      <h2>It’s fine, but you don’t need it</h2>
      <p>
        You can return a part within the days that its listing named when you bought it. If it named none, you
        have 30 days from delivery. “No returns” means just that. The restocking fee is the one you saw when
        you bought; you pay for sending the part back, and shipping isn’t refunded.
      </p>
      <h2>It doesn’t fit</h2>
      <p>
        If you gave your VIN and the yard confirmed that the part fits, the yard pays: you get everything
        back, without a restocking fee, and a label. Otherwise it counts like a part that you don’t need.
      </p>
      <h2>Something is wrong with it</h2>
      <p>
        Damaged, the wrong part, pieces missing, or it doesn’t work: report it within 30 days of delivery, or
        longer if the listing’s returns are longer. This also goes for parts sold without returns. If the yard
        agrees, you get everything back, with shipping and core charge, and may keep the part.
      </p>
      <h2>It never arrived</h2>
      <p>
        A week after it was shipped you can say so, and your money stays with us until it’s settled. If an
        order counted as delivered only because we heard nothing, you have 14 days more.
      </p>
      <h2>Who answers, and when</h2>
      <ol>
        <li>The yard answers within 3 days. If it doesn’t, we decide.</li>
        <li>If it declines, you have 7 days to ask us to decide.</li>
        <li>If it approves a return, send the part back within 14 days and say so on the order’s page.</li>
        <li>When the yard has it, your money goes back to your card.</li>
      </ol>
      <p>A claim that nobody decides for 60 days is decided for you.</p>
    </>
  )
}

export function FraudAndYourMoney() {
  const { productName } = useSiteFacts()
  return (
    <>
      <p>
        When you buy online, your money is held by {productName} until the part is delivered. The yard gets it
        after that.
      </p>
      <h2>Pay here, nowhere else</h2>
      <p>
        For parts with a “Buy” button, pay only on the page that the button or our email opens. A yard that
        asks you to send money by an app, a wire or gift cards instead is breaking our rules: don’t pay, and{' '}
        <Link to={paths.support}>tell us</Link>.
      </p>
      <h2>What nobody needs from you</h2>
      <ul>
        <li>Your card number by phone, email or message.</li>
        <li>Your pickup code before you have the part in front of you.</li>
        <li>The link to your order. Anyone who has it can cancel or confirm for you.</li>
      </ul>
      <h2>An order you didn’t make</h2>
      <p>
        If we email you about an order that isn’t yours, open the link and choose “This wasn’t me”. The link
        stops working, and we stop writing to you about it.
      </p>
      <h2>When we stop an order</h2>
      <p>
        Sometimes your bank or we want to check an order. It waits, nothing is shipped, and your money stays
        where it is. We email you when it goes on, or you get your money back.
      </p>
      <h2>Refunds</h2>
      <p>
        Refunds go back to the card you paid with, never to another one. Your bank may need 5 to 10 days to
        show them. Your order shows each refund and whether it went through.
      </p>
      <h2>Something wrong with the part?</h2>
      <p>
        Write to the yard first, with pictures; most problems end there. If not,{' '}
        <Link to={paths.support}>contact us</Link> with your order number.
      </p>
    </>
  )
}
