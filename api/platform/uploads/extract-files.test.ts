import { describe, expect, test } from 'vitest'
import { KIB, MIB } from '#contract/platform/fields.ts'
import { Base64Reader } from './receive-uploads.ts'
import { extractFiles } from './extract-files.ts'

/** Splits the body into chunks of `size` bytes. */
async function* inChunks(body: Buffer, size: number) {
  for (let at = 0; at < body.length; at += size) {
    await Promise.resolve()
    yield body.subarray(at, at + size)
  }
}

async function extract(json: string, size = 64 * KIB, bytesMax = 90 * MIB) {
  const files: Buffer[] = []
  const { rest, received } = await extractFiles(inChunks(Buffer.from(json), size), bytesMax, () => {
    const reader = new Base64Reader()
    const parts: Buffer[] = []
    const n = files.push(Buffer.alloc(0)) - 1
    return {
      name: `file-${n}`,
      sink: {
        write: async (piece) => void parts.push(Buffer.from(reader.add(piece))),
        end: async () => void (files[n] = Buffer.concat([...parts, reader.end()])),
      },
    }
  })
  return { rest: rest.toString(), files, received }
}

const bytes = Buffer.from(Array.from({ length: 997 }, (_, n) => (n * 89) % 256))
const dataUrl = `data:image/jpeg;base64,${bytes.toString('base64')}`

describe('a JSON body that arrives in pieces', () => {
  const body = {
    firstName: 'Ada "the \\ first" Lovelace, 王小明',
    'data:,': 'a key and, with a comma',
    photoUrls: [dataUrl, 'staged:1', dataUrl, ''],
    nested: [{ x: null, text: 'data:image/jpeg;base64' + 'x'.repeat(300) + '"' }],
    last: dataUrl,
  }
  const names = ['file-0', 'file-1', 'file-2'].map((name) => `data:image/jpeg;base64,${name}`)
  const withNames = { ...body, photoUrls: [names[0], 'staged:1', names[1], ''], last: names[2] }

  test.each([1, 2, 3, 7, 64, 1000, 64 * KIB])('of %i bytes is the same without its files', async (size) => {
    const { rest, files, received } = await extract(JSON.stringify(body), size)
    expect(JSON.parse(rest)).toEqual(withNames)
    expect(files).toEqual([bytes, bytes, bytes])
    expect(received).toBe(Buffer.byteLength(JSON.stringify(body)))
  })

  test.each([1, 5, 64 * KIB])('of %i bytes may escape plain characters', async (size) => {
    const escaped = `["${dataUrl.replaceAll('/', '\\/').replaceAll('+', '\\u002B')}"]`
    expect(JSON.parse(escaped)).toEqual([dataUrl])
    expect((await extract(escaped, size)).files).toEqual([bytes])
  })

  test.each([1, 5, 64 * KIB])('of %i bytes may break lines, and omit padding', async (size) => {
    const lines = bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n').replaceAll('=', '')
    const json = JSON.stringify([`data:image/png;base64,${lines}`])
    expect((await extract(json, size)).files).toEqual([bytes])
  })

  test.each(['', '{', '{"a":"data:image/jpeg;base64,QUJ', '["data:', '["x\\', 'null', '\u0000'])(
    'is passed on unchanged if it is not one: %j',
    async (json) => {
      const { rest } = await extract(json, 3)
      expect(rest).toBe(json.replace('QUJ', 'file-0'))
    },
  )

  test('is rejected if it is too long, or larger than its files', async () => {
    await expect(extract('[' + ' '.repeat(2000), 100, 1000)).rejects.toMatchObject({
      code: 'payload_too_large',
    })
    const text = JSON.stringify(['x'.repeat(300 * KIB)])
    await expect(extract(text)).rejects.toMatchObject({ code: 'payload_too_large' })
    const manySmall = JSON.stringify(Array<string>(20_000).fill('data:;base64,'))
    await expect(extract(manySmall)).rejects.toMatchObject({ code: 'payload_too_large' })
  })
})

test('text designed to be slow takes only linear time', async () => {
  const took = async (json: string) => {
    const begun = process.cpuUsage()
    await extract(json)
    const { user, system } = process.cpuUsage(begun)
    return user + system
  }
  const forms = ['\\\\', '\\"', '\\u0041', '=', '-\\', '\\/']
  for (const form of forms) {
    const of = (count: number) => `["data:image/jpeg;base64,${form.repeat(count)}"]`
    await took(of(100_000))
    const [small, large] = [await took(of(200_000)), await took(of(1_600_000))]
    expect([form, large / small < 8 * 6]).toEqual([form, true])
  }
})
