/** Light around a code, as wide as readers need it (ISO/IEC 18004). */
const quietZone = 4

/** The squares of a code, row by row; true is dark. */
export type Qr = { data: boolean[][]; size: number }

/** The encoder comes when a code is shown. */
export async function makeQr(text: string): Promise<Qr> {
  const { encode } = await import('uqr')
  return encode(text, { border: quietZone })
}
