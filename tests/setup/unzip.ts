import { inflateRawSync } from 'node:zlib'

/** Returns name and bytes of every file, read from the central directory of the archive (APPNOTE 4.3.12). */
export function unzip(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06'))
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const method = archive.readUInt16LE(at + 10)
    const size = archive.readUInt32LE(at + 20)
    const [name, extra, comment] = [28, 30, 32].map((place) => archive.readUInt16LE(at + place))
    const bytesOfName = archive.subarray(at + 46, at + 46 + name!)
    // Bit 11: the name is UTF-8. Otherwise, only ASCII is unambiguous.
    const isUtf8 = (archive.readUInt16LE(at + 8) & 0x800) !== 0 || bytesOfName.every((byte) => byte < 0x80)
    if (!isUtf8) throw new Error('a name in an unknown encoding')
    const local = archive.readUInt32LE(at + 42)
    const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const bytes = archive.subarray(begin, begin + size)
    files.set(bytesOfName.toString('utf8'), method === 0 ? bytes : inflateRawSync(bytes))
    at += 46 + name! + extra! + comment!
  }
  return files
}
