const backslash = 0x5c
const slash = 0x2f
const padding = 0x3d
const letterU = 0x75

/** Value of each byte in base64 or base64url (RFC 4648); -1 for all others. */
const values = new Int8Array(256).fill(-1)
for (const alphabet of ['+/', '-_'])
  for (const [value, letter] of [
    ...`ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789${alphabet}`,
  ].entries())
    values[letter.codePointAt(0)!] = value

/** Reused, because new strings and buffers for each piece would let the heap grow with the amount of data. */
let scratch = Buffer.alloc(0)

/**
 * Decodes base64 that arrives in pieces, as in a JSON string: `/` and `+` may be escaped, lines may be broken, and the
 * padding may be missing.
 */
export class Base64Reader {
  #bits = 0
  #letters = 0
  #hasEnded = false
  /** Where the previous piece ended within an escape: 0 outside, 1 after the backslash, 2 to 5 after its `u`. */
  #escape = 0
  #codePoint = 0

  /** `piece` is content between the quotes. The result is overwritten by the next piece of any reader. */
  add(piece: Buffer): Buffer {
    if (scratch.length < piece.length + 3) scratch = Buffer.allocUnsafeSlow(piece.length + 3)
    let length = 0
    for (const byte of piece) {
      let letter = byte
      if (this.#escape > 0) letter = this.#unescape(byte)
      else if (byte === backslash) {
        this.#escape = 1
        continue
      }
      const value = values[letter] ?? -1
      if (letter === padding) this.#hasEnded = true
      if (value < 0 || this.#hasEnded) continue
      this.#bits = (this.#bits << 6) | value
      this.#letters += 1
      if (this.#letters < 4) continue
      scratch[length] = this.#bits >> 16
      scratch[length + 1] = this.#bits >> 8
      scratch[length + 2] = this.#bits
      length += 3
      this.#bits = 0
      this.#letters = 0
    }
    return scratch.subarray(0, length)
  }

  /** Returns the bytes of the last letters, if they are fewer than four. */
  end(): Buffer {
    const bits = this.#bits << (6 * (4 - this.#letters))
    return Buffer.from([bits >> 16, bits >> 8]).subarray(0, Math.max(0, this.#letters - 1))
  }

  /** Returns the letter of a complete escape, otherwise none: the other short escapes are white space. */
  #unescape(byte: number): number {
    if (this.#escape === 1) {
      this.#escape = byte === letterU ? 2 : 0
      this.#codePoint = 0
      return byte === slash ? byte : -1
    }
    this.#codePoint = this.#codePoint * 16 + Number.parseInt(String.fromCodePoint(byte), 16)
    this.#escape = this.#escape === 5 ? 0 : this.#escape + 1
    return this.#escape === 0 ? this.#codePoint : -1
  }
}
