import type { Qr } from './ui/qr-code.tsx'

/** Light around a code, as wide as readers need it (ISO/IEC 18004). */
const quietZone = 4

/** The encoder comes when a code is shown. */
export async function makeQr(text: string): Promise<Qr> {
  const { encode } = await import('uqr')
  return encode(text, { border: quietZone })
}
