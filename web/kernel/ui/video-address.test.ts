import { describe, expect, test } from 'vitest'
import { parseVideoAddress } from './video-address.ts'

const id = 'aB3_-xYz019'
const watch = `https://www.youtube.com/watch?v=${id}`

describe('a video address', () => {
  test.each([
    watch,
    `https://youtube.com/watch?v=${id}`,
    `https://m.youtube.com/watch?app=desktop&v=${id}&t=42`,
    `https://youtu.be/${id}`,
    `https://youtu.be/${id}?t=42`,
    `https://www.youtube.com/embed/${id}`,
    `https://www.youtube.com/shorts/${id}`,
    `https://www.youtube.com/live/${id}?feature=share`,
    `https://www.youtube-nocookie.com/embed/${id}`,
  ])('leads to the same video in the form %s', (address) => {
    expect(parseVideoAddress(address)).toEqual({ kind: 'youtube', id, address: watch })
  })

  test.each(['/assets/films/some-film.mp4', '/a/b.c/film.webm'])('accepts the file %s', (address) => {
    expect(parseVideoAddress(address)).toEqual({ kind: 'file', src: address, address })
  })

  test.each([
    ['nothing', ''],
    ['words', 'my holiday'],
    ['http', `http://www.youtube.com/watch?v=${id}`],
    ['no scheme', `www.youtube.com/watch?v=${id}`],
    ['a script', `javascript:alert(1)//www.youtube.com/watch?v=${id}`],
    ['another host', `https://video.example/watch?v=${id}`],
    ['a host that only ends alike', `https://notyoutube.com/watch?v=${id}`],
    ['a host that only begins alike', `https://www.youtube.com.evil.example/watch?v=${id}`],
    ['a name before the host', `https://www.youtube.com@evil.example/watch?v=${id}`],
    ['a port', `https://www.youtube.com:8443/watch?v=${id}`],
    ['a short id', 'https://youtu.be/aB3_-xYz01'],
    ['a long id', `https://youtu.be/${id}0`],
    ['an id with an encoded sign', 'https://youtu.be/aB3_%2DxYz0'],
    ['two ids', `${watch}&v=${id}`],
    ['no id', 'https://www.youtube.com/watch'],
    ['a channel', 'https://www.youtube.com/@someone'],
    ['a playlist', `https://www.youtube.com/playlist?list=${id}`],
    ['more behind the id', `https://youtu.be/${id}/x`],
    ['an unknown folder', `https://www.youtube.com/redirect/${id}`],
    ['spaces around', ` ${watch} `],
    ['a line break inside', `https://www.youtube.com/watch?\nv=${id}`],
    ['backslashes', `https:\\\\www.youtube.com\\watch?v=${id}`],
    ['a file elsewhere', 'https://video.example/film.mp4'],
    ['a file at an address without scheme', '//video.example/film.mp4'],
    ['a file above', '/assets/../secret.mp4'],
    ['a file of another kind', '/assets/films/film.html'],
    ['a relative file', 'films/film.mp4'],
  ])('rejects %s', (_, address) => {
    expect(parseVideoAddress(address)).toBeNull()
  })
})
