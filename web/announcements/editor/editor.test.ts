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

test('of what is pasted stays what a post can hold', () => {
  const word =
    '<!--[if gte mso 9]><xml><w:x/></xml><![endif]--><style>p{}</style><p class="MsoNormal" style="x:1">A<o:p></o:p>&nbsp;B</p>' +
    '<img src="file:///c:/x.png"><img src="https://coin.example/assets/media/a.webp" alt="A">'
  expect(cleanPaste(word, origin)).toBe(
    '<p class="MsoNormal">A B</p><img src="https://coin.example/assets/media/a.webp" alt="A">',
  )
})
