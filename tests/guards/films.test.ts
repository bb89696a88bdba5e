import { createElement } from 'react'
import { renderToStaticMarkup as markup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { filmFiles } from '#web/kernel/films/film-video.tsx'
import { heroFiles } from '#web/site/hero-files.ts'
import { FilmPlayer } from '#web/kernel/ui/video-stage.tsx'
import { isThere, textOf } from './source-files.ts'

type Film = { file: string; seconds: number; place: string }
type Made = {
  width: number
  height: number
  seconds: number
  sources: { file: string; type: string; bytes: number }[]
}

const films = JSON.parse(textOf('content/facts/films.json')) as Film[]
const made = JSON.parse(textOf('content/media/films/made.json')) as Record<string, Made>

/** Returns every URL in a list of files, without what `srcset` adds to it. */
const addressesIn = (files: object): string[] =>
  JSON.stringify(files).match(/\/assets\/films\/[\w.-]+/g) ?? []
const pathOf = (address: string): string => address.replace('/assets/', 'content/media/')

test.each(films)('the pages find every file of the film $file', ({ file, place }) => {
  const addresses = addressesIn(place === 'hero' ? heroFiles(file) : filmFiles(file))
  expect(addresses).toHaveLength(place === 'hero' ? 6 : 7)
  expect(addresses.filter((address) => !isThere(pathOf(address)))).toEqual([])
})

test.each(films)('the film $file is as long as its words and small enough to load', ({ file, seconds }) => {
  const film = made[file]!
  expect(film.seconds).toBe(seconds)
  expect(film.width / film.height).toBe(16 / 9)
  expect(film.sources.map((source) => source.file)).toEqual([`${file}.av1.mp4`, `${file}.mp4`])
  expect(film.sources.filter(({ bytes }) => bytes > 2_000_000)).toEqual([])
})

test('a browser is told the very codec of the AV1 files, so that one that cannot play them never asks', () => {
  const player = markup(
    createElement(FilmPlayer, {
      src: '/a.mp4',
      av1: '/a.av1.mp4',
      title: 'A film',
      poster: undefined,
      tracks: [],
      onFailure: () => {},
    }),
  ).replaceAll('&quot;', '"')
  const hero = textOf('web/site/home/hero/hero-film.tsx')
  for (const { file, place } of films) {
    const { type } = made[file]!.sources.find((source) => source.file.endsWith('.av1.mp4'))!
    expect(place === 'hero' ? hero : player, file).toContain(type)
  }
})
