import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { openBrowser } from '../open-browser.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const STAGE = '/scripts/make-films/drawing/stage.ts'

export type FilmFacts = {
  width: number
  height: number
  seconds: number
  framesPerSecond: number
  posterAt: number
}

export type Studio = {
  /** Loads a film's drawing code and returns its properties. */
  open: (name: string) => Promise<FilmFacts>
  /** The opened film's picture at a moment (seconds), as raw RGBA rows. */
  shoot: (moment: number) => Promise<Buffer>
  close: () => Promise<void>
}

/**
 * A headless browser with an empty stage. A loopback server serves the drawing modules with their types stripped. Each
 * frame is returned compressed as the body of a POST request: a PNG would take longer to create, and a raw frame longer
 * to transfer between the processes.
 */
export async function openStudio(): Promise<Studio> {
  let receive: (picture: Buffer) => void = () => {}
  const server = createServer((request, response) => {
    const answered = request.method === 'POST' ? unpack(request).then(receive) : sendModule(request, response)
    answered.then(
      () => response.end(),
      (failure: unknown) => response.writeHead(500).end(String(failure)),
    )
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const browser = await openBrowser()
  const page = await browser.newPage()
  page.on('pageerror', (error) => console.error(error))
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)

  return {
    open: (name) => page.evaluate(openInPage, [`/scripts/make-films/${name}/film.ts`, STAGE] as const),
    async shoot(moment) {
      const arrival = new Promise<Buffer>((arrived) => (receive = arrived))
      await page.evaluate(shootInPage, moment)
      return arrival
    },
    async close() {
      await browser.close()
      server.close()
    },
  }
}

async function unpack(request: IncomingMessage): Promise<Buffer> {
  return promisify(inflateRaw)(await buffer(request))
}

async function sendModule(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = normalize(new URL(request.url ?? '/', 'http://stage').pathname)
  if (extname(path) === '.ts') {
    response.setHeader('content-type', 'text/javascript')
    response.write(stripTypeScriptTypes(await readFile(join(ROOT, path), 'utf8')))
  } else if (extname(path) === '.json') {
    response.setHeader('content-type', 'application/json')
    response.write(await readFile(join(ROOT, path), 'utf8'))
  } else {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.write('<canvas></canvas>')
  }
}

type InPage = typeof globalThis & { draw: (moment: number) => ImageData }

async function openInPage([filmModule, stageModule]: readonly [string, string]): Promise<FilmFacts> {
  const { film } = await import(filmModule)
  const { drawMoment } = await import(stageModule)
  const { width, height, seconds, framesPerSecond, posterAt, fineness = 1 } = film
  const penOn = (canvas: HTMLCanvasElement, scale: number) => {
    Object.assign(canvas, { width: width * scale, height: height * scale })
    return canvas.getContext('2d', { willReadFrequently: true })!
  }
  const pen = penOn(document.querySelector('canvas')!, 1)
  const finePen = fineness === 1 ? pen : penOn(document.createElement('canvas'), fineness)
  ;(globalThis as InPage).draw = (moment) => {
    drawMoment(film, finePen, moment)
    if (finePen !== pen) pen.drawImage(finePen.canvas, 0, 0, width, height)
    return pen.getImageData(0, 0, width, height)
  }
  return { width, height, seconds, framesPerSecond, posterAt }
}

async function shootInPage(moment: number): Promise<void> {
  const { data } = (globalThis as InPage).draw(moment)
  const packing = new CompressionStream('deflate-raw')
  const writer = packing.writable.getWriter()
  void writer.write(data)
  void writer.close()
  const body = await new Response(packing.readable).arrayBuffer()
  await fetch('/picture', { method: 'POST', body })
}
