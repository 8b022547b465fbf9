/*
 * Spanish and French part names of yards in the United States, Mexico and Quebec, in the words of our categories. They are
 * singular, without accents and without "de"; longer phrases come first.
 */
const phrases = `
  module moteur, calculateur moteur: engine computer
  moteur soufflerie, soufflerie: blower motor
  moteur essuie glace: wiper motor
  support moteur: engine mount
  moteur complet, moteur: engine
  demarreur: starter motor
  alternateur: alternator
  boite transfert: transfer case
  boite vitesse: transmission
  radiateur chauffage: heater core
  radiateur: radiator
  condenseur: ac condenser
  compresseur a c, compresseur ac, compresseur climatisation, compresseur: ac compressor
  corp papillon, boitier papillon: throttle body
  colonne direction: steering column
  cremaillere: steering gear
  pompe direction assistee, pompe direction, servodirection: power steering pump
  pompe a essence, pompe essence: fuel pump
  pompe a eau, pompe eau: water pump
  pompe abs: abs pump
  reservoir a essence, reservoir essence: fuel tank
  silencieux: muffler
  catalyseur: catalytic converter
  differentiel: differential
  arbre transmission: driveshaft
  demi arbre, essieu avant, arbre roue: cv axle
  jambe force: strut
  amortisseur: shock absorber
  porte avant: front door
  porte arriere: rear door
  poignee porte: door handle
  aile avant, aile: fender
  capot: hood
  couvercle coffre: trunk lid
  hayon: liftgate
  pare choc avant: front bumper
  pare choc arriere: rear bumper
  pare choc: bumper
  pare brise: windshield
  lunette arriere: back glass
  vitre custode: quarter glass
  vitre porte: door glass
  leve vitre, leve glace: window regulator
  phare antibrouillard, antibrouillard: fog lamp
  phare avant, phare: headlight
  feu arriere: tail light
  retroviseur interieur: rear view mirror
  retroviseur exterieur, retroviseur: door mirror
  siege avant: front seat
  siege arriere: rear seat
  siege: seat
  ceinture securite: seat belt
  tableau bord cadran, groupe instrument: instrument cluster
  jante alliage, jante aluminium: alloy wheel
  jante acier: steel wheel
  jante: wheel
  batterie: battery
  volant: steering wheel
  avant: front
  arriere: rear
  gauche: left
  droite, droit: right
  bomba direccion hidraulica: power steering pump
  bomba direccion: power steering pump
  columna direccion: steering column
  caja direccion: steering gear
  cremallera direccion: steering gear
  cremallera: steering gear
  bomba gasolina, bomba combustible: fuel pump
  bomba agua: water pump
  bomba aceite: oil pump
  bomba freno, cilindro maestro: master cylinder
  bomba abs, modulo abs: abs pump
  disco freno: brake rotor
  tambor freno, tambor: brake drum
  mordaza: brake caliper
  servofreno: brake booster
  motor arranque, marcha: starter motor
  motor limpiaparabrisa, motor limpiador: wiper motor
  motor soplador, soplador: blower motor
  cabeza motor, culata: cylinder head
  volante motor: flywheel
  volante: steering wheel
  computadora motor, computadora: engine computer
  compresor aire acondicionado, compresor aire, compresor ac, compresor clima: ac compressor
  condensador: ac condenser
  evaporador: ac evaporator
  radiador calefaccion, calefactor: heater core
  ventilador radiador, motoventilador: radiator fan
  radiador: radiator
  caja fusible, fusiblera: fuse box
  caja transferencia: transfer case
  caja cambio, caja velocidad, transmision: transmission
  tapa punteria, tapa valvula: valve cover
  tapa cajuela, cajuela, maletero, baul: trunk lid
  tapa caja, compuerta: tailgate
  quinta puerta, porton trasero, porton: liftgate
  multiple admision, colector admision: intake manifold
  multiple escape, colector escape: exhaust manifold
  convertidor catalitico, catalizador: catalytic converter
  silenciador, mofle: muffler
  cuerpo aceleracion: throttle body
  turbocargador, turbocompresor: turbocharger
  bobina encendido, bobina: ignition coil
  arbol leva: camshaft
  ciguenal: crankshaft
  carter aceite, carter: oil pan
  tanque gasolina, tanque combustible, deposito combustible: fuel tank
  inyector: fuel injector
  sensor oxigeno: oxygen sensor
  faro niebla: fog lamp
  faro trasero, luz trasera, calavera: tail light
  faro delantero, faro: headlight
  espejo retrovisor interior: rear view mirror
  espejo lateral, retrovisor lateral, espejo puerta, espejo: door mirror
  vidrio puerta, cristal puerta: door glass
  elevador vidrio, elevador cristal, elevador ventana, elevador: window regulator
  parabrisa: windshield
  medallon, luneta: back glass
  puerta: door
  cofre, capo, capot: hood
  defensa, parachoque, paragolpe: bumper
  salpicadera, guardafango, guardabarro: fender
  parrilla: grille
  asiento: seat
  cinturon seguridad, cinturon: seat belt
  tablero instrumento, cuadro instrumento, velocimetro: instrument cluster
  consola: center console
  flecha cardan, cardan: driveshaft
  semieje, palier: cv axle
  diferencial: differential
  amortiguador: shock absorber
  maza, cubo rueda: wheel hub
  rin aluminio: alloy wheel
  rin acero: steel wheel
  alternador: alternator
  autoestereo, estereo: radio
  bateria: battery
  automatica, automatico: automatic
  estandar: manual
  delantero, delantera: front
  trasero, trasera: rear
  izquierdo, izquierda: left
  derecho, derecha: right
  superior: upper
  inferior: lower
  completo, completa: complete
`

const meanings = new Map(
  phrases
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [foreign = '', english = ''] = line.trim().split(': ')
      return foreign.split(', ').map((phrase): [string, string] => [phrase, english])
    }),
)
const anyPhrase = new RegExp(`\\b(?:${[...meanings.keys()].join('|')})\\b`, 'g')

/** Translates the Spanish and French words in a part's name, which must be singular and without accents. */
export const inEnglish = (plain: string): string =>
  plain.replaceAll(/\bdel? /g, '').replaceAll(anyPhrase, (phrase) => meanings.get(phrase) ?? phrase)
