import { expect, test } from 'vitest'
import { cleanPaste } from './clean-paste.ts'
import { filmAt, linkAt } from './media.ts'

const origin = 'https://coin.example'
const player = { kind: 'iframe', src: 'https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ' }

test.each([
  ['https://youtu.be/aqz-KE-bpKQ?t=3', player],
  ['https://www.youtube.com/watch?list=x&v=aqz-KE-bpKQ', player],
  ['http://m.youtube.com/shorts/aqz-KE-bpKQ', player],
  ['https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ', player],
  ['/assets/films/hero.mp4', { kind: 'video', src: '/assets/films/hero.mp4' }],
  ['https://coin.example/assets/films/hero.webm?x', { kind: 'video', src: '/assets/films/hero.webm' }],
  ['https://e.example/hero.mp4', null],
  ['https://youtube.com.e.example/watch?v=aqz-KE-bpKQ', null],
  ['https://youtu.be/aqz-KE-bpKQx', null],
  ['javascript:alert(1)//.mp4', null],
  ['/assets/x.exe', null],
  ['', null],
])('the film at %s', (address, film) => {
  expect(filmAt(address, origin)).toEqual(film)
})

test.each([
  [' https://a.example/b?c=d ', 'https://a.example/b?c=d'],
  ['a.example/b', 'https://a.example/b'],
  ['例子.中国', 'https://例子.中国'],
  ['name@a.example', 'mailto:name@a.example'],
  ['/help', '/help'],
  ['//e.example', null],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['two words', null],
])('the link to %s', (address, href) => {
  expect(linkAt(address)).toBe(href)
})

test('pasted content keeps what a post can contain', () => {
  const word =
    '<!--[if gte mso 9]><xml><w:x/></xml><![endif]--><style>p{}</style><p class="MsoNormal" style="x:1">A<o:p></o:p>&nbsp;B</p>' +
    '<img src="file:///c:/x.png"><img src="https://coin.example/assets/media/a.webp" alt="A">'
  expect(cleanPaste(word, origin)).toBe(
    '<p class="MsoNormal">A B</p><img src="https://coin.example/assets/media/a.webp" alt="A">',
  )
})

const fontOf = (styleName: string) =>
  `font-size:11pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent;${styleName};white-space:pre-wrap;`
const plain =
  'font-weight:400;font-style:normal;font-variant:normal;text-decoration:none;vertical-align:baseline'

test('formatting that Google Docs writes as styles is kept', () => {
  const docs =
    '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-8f1c2d3e-7fff-1a2b-3c4d-5e6f70819203">' +
    '<h2 dir="ltr" style="line-height:1.38;margin-top:18pt;"><span style="' +
    fontOf(plain) +
    '">Release</span></h2>' +
    '<p dir="ltr" style="line-height:1.38;"><span style="' +
    fontOf(plain) +
    '">The </span>' +
    '<span style="' +
    fontOf('font-weight:700;font-style:normal;text-decoration:none') +
    '">node</span>' +
    '<span style="' +
    fontOf('font-weight:400;font-style:italic;text-decoration:none') +
    '"> and </span>' +
    '<span style="' +
    fontOf('font-weight:700;font-style:italic;text-decoration:underline') +
    '">wallet</span>' +
    '<a href="https://example.com/" style="text-decoration:none;"><span style="' +
    fontOf('font-weight:400;text-decoration:underline;-webkit-text-decoration-skip:none') +
    '">here</span></a>' +
    '<span style="' +
    fontOf('font-weight:400;text-decoration:line-through') +
    '">old</span>' +
    '<span style="font-size:0.6em;vertical-align:super;">2</span></p></b><br class="Apple-interchange-newline">'
  expect(cleanPaste(docs, origin).replaceAll(/<span>|<\/span>/g, '')).toBe(
    '<h2 dir="ltr">Release</h2>' +
      '<p dir="ltr">The <strong>node</strong><em> and </em><strong><em><u>wallet</u></em></strong>' +
      '<a href="https://example.com/"><u>here</u></a><s>old</s><sup>2</sup></p><br class="Apple-interchange-newline">',
  )
})

test.each([
  ['<b>x</b>', '<b>x</b>'],
  ['<b style="font-weight:bold">x</b>', '<b>x</b>'],
  [
    '<span style="font-weight:bolder">a<span>b</span>c</span>',
    '<span><strong>a<span>b</span>c</strong></span>',
  ],
  ['<span>a<b style="font-weight:400">b</span>c</b>', '<span>ab</span>c'],
  ["<i style='font-style:normal'>x</i>", 'x'],
  ['<span title="font-weight:700">x</span>', '<span title="font-weight:700">x</span>'],
  ['</span></b>x', '</span></b>x'],
])('formatting of %s', (html, cleaned) => {
  expect(cleanPaste(html, origin)).toBe(cleaned)
})
