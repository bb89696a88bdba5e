import { readFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** `refused`: the upload is rejected. `cleaned`: it becomes a picture that does not contain `secret`. */
export type HostileFile = { what: string; outcome: 'refused' | 'cleaned'; bytes: Buffer; secret?: string }

const heic = readFileSync(new URL('./files/two-halves.heic', import.meta.url))
const script = '<script>alert(1)</script>'

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}
const pngSignature = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1')
const header = (width: number, height: number, depth = 8, colour = 0): Buffer => {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data[8] = depth
  data[9] = colour
  return chunk('IHDR', data)
}
const end = chunk('IEND', Buffer.alloc(0))
const png = (...chunks: Buffer[]) => Buffer.concat([pngSignature, ...chunks, end])
const zeros = (bytes: number) => deflateSync(Buffer.alloc(bytes), { level: 9 })
const packedText = (keyword: string, bytes: number) =>
  Buffer.concat([Buffer.from(`${keyword}\0\0`, 'latin1'), zeros(bytes)])

function picture(width = 64, height = 48) {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#369',
      noise: { type: 'gaussian', mean: 128, sigma: 50 },
    },
  })
}

/** Returns the JPEG with a different size in its frame header. */
function claim(jpeg: Buffer, width: number, height: number): Buffer {
  const bytes = Buffer.from(jpeg)
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]))
  bytes.writeUInt16BE(height, frame + 5)
  bytes.writeUInt16BE(width, frame + 7)
  return bytes
}

/** Returns the WebP with a different canvas size. */
function wideWebp(): Buffer {
  const data = Buffer.from([0, 0, 0, 0, 0xff, 0x3f, 0, 0xff, 0x3f, 0])
  const body = Buffer.concat([Buffer.from('WEBPVP8X'), Buffer.from([10, 0, 0, 0]), data])
  const size = Buffer.alloc(4)
  size.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from('RIFF'), size, body])
}

function withHeicSize(width: number, height: number): Buffer {
  const bytes = Buffer.from(heic)
  for (let at = bytes.indexOf('ispe'); at > 0; at = bytes.indexOf('ispe', at + 4)) {
    bytes.writeUInt32BE(width, at + 8)
    bytes.writeUInt32BE(height, at + 12)
  }
  return bytes
}

const cut = (bytes: Buffer, part: number) => bytes.subarray(0, Math.floor(bytes.length * part))

/** More than forty files that have broken image processing software, generated each time. */
export async function makeHostilePictures(): Promise<HostileFile[]> {
  const jpeg = await picture(600, 400).jpeg().toBuffer()
  const progressive = await picture(600, 400).jpeg({ progressive: true }).toBuffer()
  const whole = await picture(600, 400).png().toBuffer()
  const webp = await picture(600, 400).webp().toBuffer()
  const gif = await picture(16, 16).gif().toBuffer()
  const frames = Array.from({ length: 40 }, () => ({
    create: { width: 8, height: 8, channels: 3 as const, background: '#123' },
  }))
  const animated = await sharp(await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer())), {
    join: { animated: true },
  })
    .webp({ loop: 0 })
    .toBuffer()
  const tagged = await picture()
    .jpeg()
    .withExif({ IFD0: { Artist: 'SECRET-PERSON' }, IFD3: { GPSLatitude: '59/1 54/1 0/1' } })
    .toBuffer()
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, script.length + 2]), Buffer.from(script)])

  const refused: [string, Buffer][] = [
    ...formsOfText,
    ...formsOfOthers,
    ['GIF', gif],
    [
      'GIF and JavaScript at once',
      Buffer.concat([Buffer.from('GIF89a/*'), gif.subarray(8), Buffer.from('*/=1;alert(1)')]),
    ],
    ['TIFF', await picture().tiff().toBuffer()],
    ['AVIF', await picture().avif().toBuffer()],
    ['JPEG cut short', cut(jpeg, 0.6)],
    ['JPEG cut in its header', cut(jpeg, 0.02)],
    ['progressive JPEG cut short', cut(progressive, 0.4)],
    ['PNG cut short', cut(whole, 0.6)],
    ['WebP cut short', cut(webp, 0.6)],
    ['HEIC cut short', cut(heic, 0.5)],
    ['JPEG of noise', Buffer.concat([jpeg.subarray(0, 300), Buffer.alloc(5000, 0x5a)])],
    ['JPEG that claims 65,000 by 65,000', claim(jpeg, 65_000, 65_000)],
    ['JPEG of no height', claim(jpeg, 600, 0)],
    ['PNG of 50,000 by 50,000, without pixels', png(header(50_000, 50_000))],
    ['PNG of 50,000 by 50,000, packed', png(header(50_000, 50_000, 1), chunk('IDAT', zeros(60_000_000)))],
    ['PNG of 2,147,483,647 by 1', png(header(2_147_483_647, 1), chunk('IDAT', zeros(1000)))],
    ['PNG of nothing', png(header(0, 0), chunk('IDAT', zeros(1)))],
    ['PNG without pixels', png(header(10, 10))],
    [
      'PNG with a wrong check sum',
      Buffer.concat([whole.subarray(0, 60), Buffer.from([1, 2, 3, 4]), whole.subarray(64)]),
    ],
    ['PNG of too few lines', png(header(1000, 1000), chunk('IDAT', zeros(5000)))],
    ['PNG of more than 50 million pixels', png(header(7100, 7100, 1), chunk('IDAT', zeros(7100 * 889)))],
    ['WebP that claims 16,384 by 16,384', wideWebp()],
    ['HEIC that claims 50,000 by 50,000', withHeicSize(50_000, 50_000)],
    ['HEIC of a header alone', heic.subarray(0, 32)],
  ]
  const cleaned: [string, Buffer, string][] = [
    ['JPEG with a place and a name', tagged, 'SECRET-PERSON'],
    ['HEIC with a place', heic, 'SECRET-PLACE'],
    ['JPEG with a page behind its end', Buffer.concat([jpeg, Buffer.from(script)]), script],
    [
      'JPEG with an archive behind its end',
      Buffer.concat([jpeg, Buffer.from('PK\u0003\u0004 payload.exe')]),
      'payload.exe',
    ],
    [
      'JPEG with a script for its comment',
      Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]),
      script,
    ],
    [
      'PNG with a script for its text',
      png(...splitPng(whole), chunk('tEXt', Buffer.from(`Comment\0${script}`))),
      script,
    ],
    [
      'PNG with a packed text of 30 MB',
      png(...splitPng(whole), chunk('zTXt', packedText('Comment', 30_000_000))),
      'Comment',
    ],
    ['PNG with a page behind its end', Buffer.concat([whole, Buffer.from(script)]), script],
    ['animated WebP of forty pictures', animated, 'ANIM'],
    ['progressive JPEG', progressive, 'SECRET'],
  ]
  return [
    ...refused.map(([what, bytes]) => ({ what, bytes, outcome: 'refused' as const })),
    ...cleaned.map(([what, bytes, secret]) => ({ what, bytes, secret, outcome: 'cleaned' as const })),
  ]
}

/** Returns a PNG without its signature and its end. */
const splitPng = (whole: Buffer): Buffer[] => [whole.subarray(8, whole.length - 12)]

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><image href="file:///etc/passwd"/>${script}</svg>`
const binary = (text: string) => Buffer.from(text, 'latin1')

/** Text with the file name of a picture. */
const formsOfText: [what: string, bytes: Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['one byte', Buffer.from('x')],
  ['text', Buffer.from('passport')],
  ['HTML', Buffer.from(`<!doctype html>${script}`)],
  ['SVG', Buffer.from(svg)],
  ['SVG behind blanks', Buffer.from(` \n\t${svg}`)],
  ['SVG behind a byte order mark', Buffer.from(`\ufeff<?xml version="1.0"?>${svg}`)],
  [
    'SVG that names itself a thousand times over',
    Buffer.from(
      `<?xml version="1.0"?><!DOCTYPE s [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "${'&a;'.repeat(1000)}">]><svg>&b;</svg>`,
    ),
  ],
  ['a script with a shebang', Buffer.from('#!/bin/sh\nrm -rf /\n')],
  ['ImageMagick’s own language', Buffer.from('push graphic-context\nimage over 0,0 0,0 "|id"\npop')],
  ['PostScript', Buffer.from('%!PS\n(%pipe%id) (r) file\n')],
]

/** Files of other kinds. */
const formsOfOthers: [what: string, bytes: Buffer][] = [
  ['PDF', Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF')],
  [
    'encrypted PDF',
    Buffer.from('%PDF-1.6\n1 0 obj\n<</Filter/Standard/V 2/R 3>>\nendobj\ntrailer<</Encrypt 1 0 R>>\n%%EOF'),
  ],
  ['a program for Linux', binary(`\u007fELF${'\0'.repeat(200)}`)],
  ['a program for Windows', binary(`MZ${'\0'.repeat(200)}`)],
  ['an archive', binary(`PK\u0003\u0004${'\0'.repeat(200)}`)],
  ['a packed file', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])],
  ['BMP', binary(`BM${'\0'.repeat(100)}`)],
  ['a JPEG’s first three bytes', Buffer.from([0xff, 0xd8, 0xff])],
  ['a PNG’s signature alone', binary('\u0089PNG\r\n\u001a\n')],
  ['RIFF that holds sound', binary(`RIFF\u0010\0\0\0WAVEfmt ${'\0'.repeat(40)}`)],
  ['RIFF that says WebP and holds nothing', binary('RIFF\u0004\0\0\0WEBP')],
  ['a film', binary(`\0\0\0\u0018ftypmp42${'\0'.repeat(40)}`)],
  ['a HEIC brand and a page', binary(`\0\0\0\u0018ftypheic${script}`)],
]
