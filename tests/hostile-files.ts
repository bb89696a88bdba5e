const script = '<script>alert(1)</script>'
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><image href="file:///etc/passwd"/>${script}</svg>`
const binary = (text: string) => Buffer.from(text, 'latin1')

/** Text with the file name of a picture. */
export const formsOfText: [what: string, bytes: Buffer][] = [
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
export const formsOfOthers: [what: string, bytes: Buffer][] = [
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
