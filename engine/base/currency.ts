/** ISO 4217 currencies whose minor unit is not 1/100, with their decimal places. */
const MINOR_UNITS: Readonly<Record<string, number>> = Object.freeze({
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
})

/** Decimal places of a currency's minor unit (ISO 4217): JPY 0, USD 2, KWD 3; 2 for an unknown or unset one. */
export function minorUnit(currency: string | null): number {
  if (currency === null || !Object.hasOwn(MINOR_UNITS, currency)) return 2
  return MINOR_UNITS[currency]!
}
