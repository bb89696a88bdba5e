import type { Qr } from './ui/qr-code.tsx'

/** The quiet zone around a code, in modules (ISO/IEC 18004). */
const quietZone = 4

/** The encoder is loaded when a code is first shown. */
export async function makeQr(text: string): Promise<Qr> {
  const { encode } = await import('uqr')
  return encode(text, { border: quietZone })
}
