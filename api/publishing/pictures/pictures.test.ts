import sharp from 'sharp'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { KIB, MIB } from '#contract/platform/fields.ts'
import { aPicture, aPost, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { readPicture } from './store-picture.ts'

const started = await startApi({}, afterAll)
const { token } = await aSignedInMember(started, { manage_news: 2 })
const upload = (picture: string) => started.call(api.uploadPicture, { body: { picture } }, { token })
const stored = async (address: string) =>
  readPicture(started.services.files, address.slice(address.lastIndexOf('/') + 1))

test('stores a picture in every available width, without metadata', async () => {
  const camera = await sharp({ create: { width: 2000, height: 1000, channels: 3, background: '#936' } })
    .withExif({ IFD0: { Artist: 'Somebody' } })
    .jpeg()
    .toBuffer()
  const { body, status } = await upload(`data:image/jpeg;base64,${camera.toString('base64')}`)
  expect(status).toBe(201)
  expect(body).toMatchObject({ width: 1600, height: 800 })
  const entries = body.srcset.split(', ').map((entry) => entry.split(' '))
  expect(entries.map(([, width]) => width)).toEqual(['480w', '960w', '1600w'])
  for (const [address, width] of entries) {
    const { format, width: wide, exif } = await sharp(await stored(address!)).metadata()
    expect({ format, wide: `${wide}w`, exif }).toEqual({ format: 'webp', wide: width, exif: undefined })
  }
  expect(body.src).toBe(entries[2]![0])
})

test('a small picture keeps its size, and is stored once if sent twice', async () => {
  const picture = await aPicture('png', { width: 40, height: 30 })
  const first = (await upload(picture)).body
  expect(first).toMatchObject({ width: 40, height: 30 })
  expect(first.srcset).toBe(`${first.src} 40w`)
  expect((await upload(picture)).body).toEqual(first)
})

test('a large picture is not kept as text: only a small part is parsed as JSON', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const camera = await sharp({
    create: { width: 2500, height: 1500, channels: 3, background: '#000', noise },
  })
    .jpeg({ quality: 97 })
    .toBuffer()
  expect(camera.length).toBeGreaterThan(2 * MIB)
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  expect((await upload(`data:image/jpeg;base64,${camera.toString('base64')}`)).status).toBe(201)
  expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(256 * KIB)
})

test('says how large a picture may be if it is too large', async () => {
  const { status, problem } = await upload(`data:image/png;base64,${'A'.repeat(13.9 * MIB)}`)
  expect(status).toBe(400)
  expect(problem.errors).toMatchObject([{ path: 'picture', code: 'too_long' }])
})

test.each([
  ['data:image/svg+xml;base64,PHN2Zy8+', 'picture'],
  [`data:image/png;base64,${Buffer.from('<script>').toString('base64')}`, 'picture'],
  [`data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64')}`, 'picture'],
  ['https://a.example/x.png', 'picture'],
  ['', 'required'],
])('%s is refused', async (picture, code) => {
  const { status, problem } = await upload(picture)
  expect(status).toBe(400)
  expect(problem.errors).toContainEqual(expect.objectContaining({ path: 'picture', code }))
})

test('serves only pictures at their addresses', async () => {
  for (const file of ['../kyc/x', '..%2fx.webp', 'x.webp', `${'a'.repeat(32)}-480.png`, ''])
    expect(await readPicture(started.services.files, file)).toBeUndefined()
})

test('pictures in a text become files, and are returned as stored', async () => {
  const content = `<p>Look: <img src="${await aPicture('jpeg', { width: 40, height: 30 })}" alt="A node" onerror="x()"></p>`
  const { body } = await started.call(api.createAnnouncement, { body: aPost({ content }) }, { token })
  expect(body.content).toMatch(
    /^<p>Look: <img src="\/assets\/media\/news\/[0-9a-f]{32}-40\.webp" [^<>]*><\/p>$/,
  )
  expect(body.content).toMatch(/ srcset="[^"]+ 40w" /)
  expect(body.content).toContain('width="40" height="30"')
  expect(body.content).not.toContain('onerror')
  expect(body.content).toContain('alt="A node"')
  const again = { body: { ...aPost({ content: body.content }), _id: body._id } }
  const edited = await started.call(api.updateAnnouncement, again, { token })
  expect(edited.body.content).toBe(body.content)
})

test('only this site’s pictures have several widths', async () => {
  const content = '<p>x<img src="/a.webp" srcset="https://e.example/x.png 480w" alt=""></p>'
  const { body } = await started.call(api.createAnnouncement, { body: aPost({ content }) }, { token })
  expect(body.content).not.toContain('srcset')
})
