/** Manufacturers that share engineering, and with it the way they number parts. */
export type Maker =
  | 'toyota'
  | 'honda'
  | 'nissan'
  | 'subaru'
  | 'mazda'
  | 'mitsubishi'
  | 'korean'
  | 'ford'
  | 'gm'
  | 'chrysler'
  | 'bmw'
  | 'mercedes'
  | 'volkswagen'
  | 'volvo'
  | 'british'
  | 'other'

const families: Partial<Record<Maker, string>> = {
  toyota: 'Toyota;Lexus;Scion',
  honda: 'Honda;Acura',
  nissan: 'Nissan;INFINITI;Suzuki',
  subaru: 'Subaru',
  mazda: 'MAZDA',
  mitsubishi: 'Mitsubishi',
  korean: 'Hyundai;Kia;Genesis',
  ford: 'Ford;Lincoln;Mercury',
  gm: 'Chevrolet;GMC;Buick;Cadillac;Pontiac;Oldsmobile;Saturn;HUMMER;Geo;Daewoo',
  chrysler: 'Chrysler;Dodge;Jeep;Ram;Plymouth;SRT;Eagle;FIAT;Alfa Romeo',
  bmw: 'BMW;MINI;Rolls-Royce',
  mercedes: 'Mercedes-Benz;smart;Maybach',
  volkswagen: 'Volkswagen;Audi;Porsche;Bentley;Lamborghini',
  volvo: 'Volvo;Saab;Polestar',
  british: 'Land Rover;Jaguar',
}

const makers = new Map(
  Object.entries(families).flatMap(([maker, names]) =>
    names.split(';').map((name) => [name, maker as Maker] as const),
  ),
)

export function makerOf(manufacturer: string): Maker {
  return makers.get(manufacturer) ?? 'other'
}

const european: readonly Maker[] = ['bmw', 'mercedes', 'volkswagen', 'volvo', 'british']
const domestic: readonly Maker[] = ['ford', 'gm', 'chrysler']

export const isEuropean = (manufacturer: string) => european.includes(makerOf(manufacturer))
export const isDomestic = (manufacturer: string) => domestic.includes(makerOf(manufacturer))
