export function BeingFound() {
  return (
    <>
      <p>
        Most buyers arrive with one of two things: a part number, or a car with something missing. A listing
        is found by both if it carries both.
      </p>
      <h2>Write the title like a label</h2>
      <p>
        Year, manufacturer and model are put in front of it by us. So the title is what remains: “Alternator
        130A”, “Headlamp, left, xenon”. Side, size, color and engine belong there; “great condition” and
        “L@@K” do not.
      </p>
      <h2>Choose the real category</h2>
      <p>
        Categories know what people call a part: someone who types “taillight” sees what is listed under tail
        lamps. A part in the wrong category is missed by everybody who filters.
      </p>
      <h2>Describe what a buyer would ask</h2>
      <ul>
        <li>What it fits besides the car it came from, if you know it.</li>
        <li>What is with it, and what is not: bulbs, brackets, sensors, keys.</li>
        <li>Each fault, in plain words. A fault named is a question less and a return less.</li>
      </ul>
      <h2>Price and shipping</h2>
      <p>
        A price without shipping is half a price. “Free”, a flat amount and “Pickup only” are all fine; an
        amount that is only told on request makes people scroll on.
      </p>
    </>
  )
}
