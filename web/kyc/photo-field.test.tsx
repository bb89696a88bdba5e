// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { deleteKycPhoto, photoBytesMax, stageKycPhoto } from '#contract/people/kyc.ts'
import { show, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, holding, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { PhotoField } from './photo-field.tsx'
import { usePhotos } from './use-photos.ts'

const t = wordsOf('en')
const staged = { id: '0198f0a0-0000-7000-8000-000000000006', bytes: 3 }
const named = (key: string, name = 'front.heic') => ({ name: t(key, { name }) })
const field = () => screen.getByLabelText(t('kyc.photos'), { exact: false })

// This DOM implementation cannot draw pictures, like browsers with HEIC, so the file is sent unchanged and without a
// preview.
beforeEach(() => void vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('cannot draw'))))

const aFile = (name = 'front.heic', bytes = 3) =>
  new File([new Uint8Array(bytes)], name, { type: name.endsWith('.heic') ? 'image/heic' : 'image/jpeg' })

function Field({ max }: { max?: number }) {
  const photos = usePhotos(undefined, max)
  const [isDue, setIsDue] = useState(false)
  return (
    <PhotoField photos={photos} isErrorDue={isDue} onTouched={() => setIsDue(true)} {...(max && { max })} />
  )
}

async function choose(files: File[], max?: number) {
  await signedIn()
  const { user } = show(<Field {...(max && { max })} />)
  fireEvent.change(field(), { target: { files } })
  return user
}

test('shows the limits before anything is chosen, and an error only after the field was left', async () => {
  await signedIn()
  const { user } = show(<Field />)
  expect(screen.getByText(t('kyc.photo.help', { max: 8, size: 10 }))).toBeVisible()
  expect(field()).not.toHaveAttribute('aria-invalid')
  await user.click(field())
  await user.tab()
  await waitFor(() => expect(field()).toHaveAttribute('aria-invalid', 'true'))
  expect(field()).toHaveAccessibleDescription(t('kyc.photo.required'))
})

test('a chosen photo is uploaded at once, with its progress, and then confirmed', async () => {
  const answer = holding(stageKycPhoto, staged)
  await choose([aFile()])
  const bar = await screen.findByRole('progressbar', named('kyc.photo.sendingNamed'))
  await waitFor(() => expect(bar).toHaveAttribute('value', '0.5'))
  answer()
  expect(await screen.findByRole('status')).toHaveTextContent(t('kyc.photo.stored', { size: '0.1' }))
  expect(callsOf(stageKycPhoto)[0]!.body.photo).toMatch(/^data:image\/heic;base64,/)
  expect(field()).not.toHaveAttribute('aria-invalid')
})

test('each invalid file gets a message, and the valid ones stay', async () => {
  answering(stageKycPhoto, staged)
  await choose([aFile(), aFile('script.jpg'), aFile('large.heic', photoBytesMax + 1)])
  expect(await screen.findByText(t('kyc.photo.unreadable', { name: 'script.jpg' }))).toBeVisible()
  expect(screen.getByText(t('kyc.photo.tooLarge', { name: 'large.heic', max: 10 }))).toBeVisible()
  expect(screen.getAllByRole('listitem').map((row) => row.dataset['wrong'])).toEqual([
    undefined,
    'true',
    'true',
  ])
})

test('a photo above the limit is refused by name', async () => {
  answering(stageKycPhoto, staged)
  await choose([aFile('a.heic'), aFile('b.heic'), aFile('c.heic')], 2)
  expect(await screen.findByText(t('kyc.photo.tooMany', { name: 'c.heic', max: 2 }))).toBeVisible()
  expect(screen.getAllByRole('listitem')).toHaveLength(2)
})

test('a photo that failed to upload says why, and only that one is sent again', async () => {
  unreachable(stageKycPhoto)
  const user = await choose([aFile()])
  expect(await screen.findByRole('status')).toHaveTextContent(t('errors.offline'))
  answering(stageKycPhoto, staged)
  await user.click(screen.getByRole('button', named('kyc.photo.retryNamed')))
  await waitFor(() =>
    expect(screen.getByRole('status')).toHaveTextContent(t('kyc.photo.stored', { size: '0.1' })),
  )
  expect(screen.queryByRole('button', named('kyc.photo.retryNamed'))).toBeNull()
})

test.each([
  ['picture', 'kyc.photo.unreadable', {}],
  ['picture_too_small', 'kyc.photo.tooSmall', { max: 600, min: 400 }],
  ['too_long', 'kyc.photo.tooLarge', { max: 10 }],
] as const)('a photo that the server refuses as %s is marked', async (code, words, values) => {
  refusing(stageKycPhoto, 'validation_failed', { errors: [{ path: 'photo', code, message: 'No.' }] })
  const user = await choose([aFile()])
  const said = await screen.findByRole('alert')
  expect(said).toHaveTextContent(t(words, { name: 'front.heic', ...values }))
  expect(screen.getByRole('listitem')).toContainElement(said)
  expect(screen.queryByRole('button', named('kyc.photo.retryNamed'))).toBeNull()
  await user.click(screen.getByRole('button', named('kyc.photo.removeNamed')))
  expect(screen.queryByRole('listitem')).toBeNull()
})

test('a picture too small to read a document on is refused before it is sent, and another can take its place', async () => {
  const size = { width: 120, height: 80 }
  vi.stubGlobal('createImageBitmap', () => Promise.resolve({ ...size, close: () => {} }))
  const context = { fillRect() {}, translate() {}, rotate() {}, drawImage() {} }
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) =>
    done(new Blob(['x'], { type: 'image/jpeg' })),
  )
  await choose([aFile('small.jpg')])
  expect(await screen.findByRole('alert')).toHaveTextContent(
    t('kyc.photo.tooSmall', { name: 'small.jpg', max: 600, min: 400 }),
  )
  expect(callsOf(stageKycPhoto)).toEqual([])

  Object.assign(size, { width: 1200, height: 800 })
  answering(stageKycPhoto, staged)
  const again = screen.getByRole('listitem').querySelector('input')!
  fireEvent.change(again, { target: { files: [aFile('large.jpg')] } })
  expect(await screen.findByRole('status')).toHaveTextContent(t('kyc.photo.stored', { size: '0.1' }))
  expect(screen.queryByRole('alert')).toBeNull()
})

test('if the server is busy the upload is retried silently', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'], shouldAdvanceTime: true, advanceTimeDelta: 500 })
  refusing(stageKycPhoto, 'unavailable', {}, { 'retry-after': '2' })
  await choose([aFile()])
  await waitFor(() => expect(callsOf(stageKycPhoto).length).toBeGreaterThan(0))
  answering(stageKycPhoto, staged)
  expect(await screen.findByRole('status')).toHaveTextContent(t('kyc.photo.stored', { size: '0.1' }))
  vi.useRealTimers()
})

test('uploads no more than three photos at a time', async () => {
  const answer = holding(stageKycPhoto, staged)
  await choose([1, 2, 3, 4, 5].map((n) => aFile(`${n}.heic`)))
  await waitFor(() => expect(callsOf(stageKycPhoto)).toHaveLength(3))
  answer()
  await waitFor(() => expect(screen.getAllByRole('status')).toHaveLength(5))
})

test('removing a photo also deletes it from the server', async () => {
  answering(stageKycPhoto, staged)
  answering(deleteKycPhoto, { dropped: true })
  const user = await choose([aFile()])
  await screen.findByRole('status')
  await user.click(screen.getByRole('button', named('kyc.photo.removeNamed')))
  await waitFor(() => expect(screen.queryByRole('listitem')).toBeNull())
  expect(callsOf(deleteKycPhoto)).toMatchObject([{ params: { id: staged.id } }])
})
