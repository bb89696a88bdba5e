import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { stripTypeScriptTypes } from 'node:module'
import { extname, join, normalize, resolve } from 'node:path'
import { openBrowser } from '../open-browser.ts'

const ROOT = resolve(import.meta.dirname, '../..')

export type FilmFacts = {
  width: number
  height: number
  seconds: number
  framesPerSecond: number
  posterAt: number
}

export type Studio = {
  open: (name: string, width?: number) => Promise<FilmFacts>
  /** The picture at a moment, as raw RGBA rows. */
  shoot: (moment: number) => Promise<Buffer>
  close: () => Promise<void>
}

/**
 * A headless browser with an empty stage. The drawing modules are served as they are, types stripped, from a
 * loopback server; each picture comes back as the body of a POST, which is far quicker than a PNG per frame.
 */
export async function openStudio(): Promise<Studio> {
  let receive: (picture: Buffer) => void = () => {}
  const server = createServer(async (request, response) => {
    try {
      if (request.method === 'POST') {
        const parts: Buffer[] = []
        for await (const part of request) parts.push(part as Buffer)
        receive(Buffer.concat(parts))
        response.end()
        return
      }
      const path = normalize(new URL(request.url ?? '/', 'http://stage').pathname)
      if (extname(path) !== '.ts') {
        response.setHeader('content-type', 'text/html; charset=utf-8').end('<canvas></canvas>')
        return
      }
      const source = await readFile(join(ROOT, path), 'utf8')
      response.setHeader('content-type', 'text/javascript').end(stripTypeScriptTypes(source))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const browser = await openBrowser()
  const page = await browser.newPage()
  page.on('pageerror', (error) => console.error(error))
  await page.goto(origin)

  return {
    open: (name, width) =>
      page.evaluate(
        async ([file, wide]) => {
          const { film } = await import(file)
          const { drawMoment } = await import('/scripts/make-films/drawing/stage.ts' as string)
          const canvas = document.querySelector('canvas')!
          canvas.width = wide ?? film.width
          canvas.height = Math.round((canvas.width * film.height) / film.width)
          const pen = canvas.getContext('2d', { willReadFrequently: true })!
          Object.assign(window, {
            async shoot(moment: number) {
              drawMoment(film, pen, moment)
              const { data } = pen.getImageData(0, 0, canvas.width, canvas.height)
              await fetch('/picture', { method: 'POST', body: data })
            },
          })
          const { seconds, framesPerSecond, posterAt } = film
          return { width: canvas.width, height: canvas.height, seconds, framesPerSecond, posterAt }
        },
        [`/scripts/make-films/${name}/film.ts`, width] as const,
      ),
    async shoot(moment) {
      const arrival = new Promise<Buffer>((resolvePicture) => (receive = resolvePicture))
      await page.evaluate(
        (at) => (window as unknown as { shoot: (at: number) => Promise<void> }).shoot(at),
        moment,
      )
      return arrival
    },
    async close() {
      await browser.close()
      server.close()
    },
  }
}
