import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Attachment, DataSubject, Part, PartName, Personal, Source } from '../../platform/module.ts'
import { formatDay } from '../../platform/text/format-time.ts'
import { archiveText } from './archive-words.ts'

type Parts = readonly [PartName, Part][]

/**
 * Streams all data of a member as one archive in their language. Each file is read after the previous one was sent, so
 * that only one page of rows or one picture is in memory at a time.
 */
export async function zipArchive(
  reader: Omit<Source, 'isArchive' | 'show'>,
  parts: Parts,
  attachments: readonly NonNullable<Personal['attachments']>[],
): Promise<{ fileName: string; stream: Readable }> {
  const say = archiveText(reader.member.language)
  const now = new Date()
  const zip = new ZipFile()
  const stream = zip.outputStream as Readable
  zip.on('error', (error: Error) => stream.destroy(error))
  // The stream may fail before anything listens; the sender then finds it destroyed.
  stream.on('error', () => {})
  const add = (name: string, open: () => Promise<Readable>, options = {}) =>
    zip.addReadStreamLazy(
      name,
      options,
      (give) => void open().then((file) => give(null, file), give as never),
    )
  const nameOf = ({ name }: Attachment): string => {
    if ('conversation' in name) return `${say('messageFiles')}/${say('messageFile', name)}`
    return `${say('pictures')}/${'application' in name ? say('picture', name) : say('waitingPicture', name)}`
  }
  const source: Source = { ...reader, isArchive: true, show: async (attachment) => nameOf(attachment) }

  zip.addBuffer(Buffer.from(readMe(reader.member, parts, now)), 'README.txt')
  for (const [name, part] of parts) add(fileOf(name), async () => Readable.from(jsonOf(part, source)))
  for (const list of attachments)
    for await (const attachment of list(source))
      // Compressing a JPEG saves nothing. A picture whose file is lost becomes an empty file.
      add(nameOf(attachment), async () => Readable.from([(await attachment.read()) ?? Buffer.alloc(0)]), {
        compress: false,
      })
  zip.end()
  return { fileName: say('archive', { date: now.toISOString().slice(0, 10) }), stream }
}

const fileOf = (part: PartName): string =>
  `${part.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`

async function* jsonOf({ isList, read }: Part, source: Source): AsyncIterable<string> {
  let count = 0
  if (isList) yield '['
  for await (const entry of read(source)) {
    yield `${count > 0 ? ',' : ''}\n${JSON.stringify(entry, null, 2)}`
    count += 1
  }
  yield isList ? '\n]\n' : '\n'
}

function readMe(member: DataSubject, parts: Parts, now: Date): string {
  const say = archiveText(member.language)
  return [
    say('readme.title'),
    say('readme.made', { date: formatDay(now, member.language), email: member.email }),
    say('readme.intro'),
    ...parts.map(([name]) => `${fileOf(name)}\n    ${say(`files.${name}`)}`),
    say('readme.missing'),
    say('readme.contact'),
    '',
  ].join('\n\n')
}
