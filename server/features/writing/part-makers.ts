/** Makers of parts that no lookup lists; a text names one only where the record does. */
export const partMakers: ReadonlySet<string> = new Set(
  `acdelco aisin alpine autolite bilstein borla bosch bose brembo bridgestone champion clarion continental cooper
   cummins dana delco delphi denso depo dorman duracell eaton edelbrock exide falken fel-pro firestone flowmaster garrett
   gates goodyear hankook hella hitachi holley interstate jbl kenwood keystone koyo kumho kyb magnaflow magneti mahle
   mann marelli michelin mitsuba monroe moog mopar motorcraft nippondenso ngk nokian optima oracle pioneer pirelli
   rancho raybestos remy rockford sachs sanden skf sony stant sylvania timken tokico toyo trw tyc valeo visteon wagner
   walker weathertech wix yokohama zf`
    .split(/\s+/)
    .filter((name) => name !== ''),
)
