import { useEffect, useRef, useState } from 'react'
import { deleteKycPhoto, photosMax, stageKycPhoto } from '#contract/people/kyc.ts'
import { call, callWithProgress, CallFailed } from '../kernel/call/call.ts'
import { failureMessage } from '../kernel/actions/failure-message.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { findFileProblem, hasRoom, isTooSmall, type FileProblem, type LeftOut, type Photo } from './photos.ts'
import { isHeic, preparePicture, readDataUrl } from '../kernel/prepare-picture.ts'
import { SECOND } from '#contract/platform/durations.ts'

export type Photos = {
  list: readonly Photo[]
  /** Files of the last selection above the limit. */
  leftOut: readonly LeftOut[]
  isReading: boolean
  /** Runs work that will change the list. */
  whileReading<T>(work: () => Promise<T>): Promise<T>
  add(files: readonly File[]): Promise<void>
  remove(id: number): void
  turn(id: number): Promise<void>
  replace(id: number, file: File): Promise<void>
  retry(id: number): void
  /** Adds a photo that is already uploaded, unless it is in the list. */
  adopt(photoId: string, picture: File): void
  /** Shows a pending upload before the others. Returns false if there is no room; it then stays on the server. */
  bringBack(photoId: string, picture: File): boolean
  /** Removes a photo that was deleted elsewhere. */
  forget(photoId: string): void
  /** Marks an uploaded photo because of which the application was rejected. It can be uploaded again. */
  fail(photoId: string, message: string): void
}

/** Where photos are uploaded and deleted. */
export type PhotoPlace = {
  stage(photo: string, onProgress: (sent: number) => void): Promise<{ id: string }>
  drop(id: string): Promise<unknown>
}

const ownPlace: PhotoPlace = {
  stage: (photo, onProgress) => callWithProgress(stageKycPhoto, { body: { photo } }, onProgress),
  drop: (id) => call(deleteKycPhoto, { params: { id } }),
}

/** A file as sent and shown. */
type Drawn = Pick<Photo, 'picture' | 'preview'> & { problem: FileProblem | null }

let lastId = 0

/** The photos of a form. Each one is prepared in the browser and uploaded immediately, so that submitting is quick. */
export function usePhotos(place: PhotoPlace = ownPlace, max: number = photosMax): Photos {
  const photos = usePhotoList()
  const [leftOut, setLeftOut] = useState<LeftOut[]>([])
  const [reading, setReading] = useState(0)
  const leaveOut = ({ name }: LeftOut) => setLeftOut((known) => [...known, { name }])
  const { upload, remove, release, drop } = useUploads(photos, place, leaveOut)

  async function whileReading<T>(work: () => Promise<T>): Promise<T> {
    setReading((n) => n + 1)
    return work().finally(() => setReading((n) => n - 1))
  }

  function begin(
    id: number,
    { problem, ...drawn }: Drawn,
    about: Pick<Photo, 'name' | 'source' | 'quarterTurns'>,
  ) {
    const photo: Photo = {
      id,
      ...about,
      ...drawn,
      upload: problem ? { state: 'wrong', problem } : { state: 'sending', sent: 0 },
    }
    photos.save(photo)
    if (!problem) void upload(photo)
  }

  const add = (files: readonly File[]) =>
    whileReading(async () => {
      const found: LeftOut[] = []
      for (const file of files) {
        const drawn = await drawFile(file, 0)
        if (!drawn.problem && !hasRoom(photos.now(), max)) {
          if (drawn.preview) URL.revokeObjectURL(drawn.preview)
          found.push({ name: file.name })
          continue
        }
        lastId += 1
        begin(lastId, drawn, { name: file.name, source: file, quarterTurns: 0 })
      }
      setLeftOut(found)
    })

  const remake = (id: number, file: File, quarterTurns: number) =>
    whileReading(async () => {
      const drawn = await drawFile(file, quarterTurns)
      const before = photos.find(id)
      if (!before) return
      setLeftOut([])
      release(before)
      begin(id, drawn, { name: file.name, source: file, quarterTurns })
    })

  return {
    list: photos.list,
    leftOut,
    isReading: reading > 0,
    whileReading,
    add,
    remove,
    turn: async (id) => {
      const photo = photos.find(id)
      if (photo?.preview) await remake(id, photo.source, (photo.quarterTurns + 1) % 4)
    },
    replace: (id, file) => remake(id, file, 0),
    retry: (id) => {
      const photo = photos.find(id)
      if (photo) void upload(photo)
    },
    ...storedPhotos(photos, max, { remove, drop, leaveOut }),
  }
}

type PhotoList = ReturnType<typeof usePhotoList>
type Uploads = ReturnType<typeof useUploads>

/** The list of photos. `now` also sees changes made after the last render, for responses that arrive later. */
function usePhotoList() {
  const [list, setList] = useState<readonly Photo[]>([])
  const current = useRef<readonly Photo[]>([])
  useEffect(
    () => () => {
      for (const { preview } of current.current) if (preview) URL.revokeObjectURL(preview)
    },
    [],
  )
  const now = () => current.current
  const put = (photos: readonly Photo[]) => {
    current.current = photos
    setList(photos)
  }
  const find = (id: number) => now().find((photo) => photo.id === id)
  /** Replaces the photo with this ID, or appends it. */
  const save = (photo: Photo) =>
    put(find(photo.id) ? now().map((each) => (each.id === photo.id ? photo : each)) : [...now(), photo])
  const change = (id: number, part: Partial<Photo>) => {
    const photo = find(id)
    if (photo) save({ ...photo, ...part })
  }
  const findStored = (photoId: string) =>
    now().find(({ upload }) => upload.state === 'stored' && upload.photoId === photoId)
  return { list, now, put, find, findStored, save, change }
}

/** Uploads photos, and deletes them from the server when they are removed. */
function useUploads(photos: PhotoList, place: PhotoPlace, leaveOut: (photo: LeftOut) => void) {
  const { t } = useMessages()

  /** If this fails, the server deletes the photo after two hours. */
  const drop = (photoId: string) => void place.drop(photoId).catch(() => {})

  function release({ preview, upload }: Photo) {
    if (preview) URL.revokeObjectURL(preview)
    if (upload.state === 'stored') drop(upload.photoId)
  }

  function remove(id: number) {
    const photo = photos.find(id)
    photos.put(photos.now().filter((each) => each.id !== id))
    if (photo) release(photo)
  }

  async function upload(photo: Photo) {
    const { id, picture } = photo
    const isCurrent = () => photos.find(id)?.picture === picture
    photos.change(id, { upload: { state: 'sending', sent: 0 } })
    try {
      const stored = await sendPhoto(photo, (dataUrl) =>
        place.stage(dataUrl, (sent) => {
          if (isCurrent()) photos.change(id, { upload: { state: 'sending', sent } })
        }),
      )
      if (isCurrent()) photos.change(id, { upload: { state: 'stored', photoId: stored.id } })
      else drop(stored.id)
    } catch (failure) {
      if (!isCurrent()) return
      const problem = fileProblemIn(failure)
      if (problem === 'tooMany') {
        remove(id)
        leaveOut(photo)
      } else if (problem) photos.change(id, { upload: { state: 'wrong', problem } })
      else photos.change(id, { upload: { state: 'failed', message: failureMessage(t, failure) } })
    }
  }
  return { upload, remove, release, drop }
}

/** Changes to photos that are already uploaded, by their IDs on the server. */
function storedPhotos(
  photos: PhotoList,
  max: number,
  { remove, drop, leaveOut }: Pick<Uploads, 'remove' | 'drop'> & { leaveOut: (photo: LeftOut) => void },
): Pick<Photos, 'adopt' | 'bringBack' | 'forget' | 'fail'> {
  return {
    adopt: (photoId, picture) => {
      if (photos.findStored(photoId)) return
      if (hasRoom(photos.now(), max)) photos.save(storedPhoto(photoId, picture))
      else {
        drop(photoId)
        leaveOut(picture)
      }
    },
    bringBack: (photoId, picture) => {
      if (photos.findStored(photoId)) return true
      if (!hasRoom(photos.now(), max)) return false
      photos.put([storedPhoto(photoId, picture), ...photos.now()])
      return true
    },
    forget: (photoId) => {
      const photo = photos.findStored(photoId)
      if (photo) remove(photo.id)
    },
    fail: (photoId, message) => {
      const photo = photos.findStored(photoId)
      if (photo) photos.change(photo.id, { upload: { state: 'failed', message } })
    },
  }
}

async function drawFile(file: File, quarterTurns: number): Promise<Drawn> {
  const problem = findFileProblem(file)
  if (problem) return { picture: file, preview: null, problem }
  const drawn = await preparePicture(file, quarterTurns)
  if (!drawn) return { picture: file, preview: null, problem: isHeic(file) ? null : 'unreadable' }
  const preview = URL.createObjectURL(drawn.blob)
  return { picture: drawn.blob, preview, problem: isTooSmall(drawn) ? 'tooSmall' : null }
}

function storedPhoto(photoId: string, picture: File): Photo {
  lastId += 1
  return {
    id: lastId,
    name: picture.name,
    source: picture,
    quarterTurns: 0,
    picture,
    preview: URL.createObjectURL(picture),
    upload: { state: 'stored', photoId },
  }
}

/**
 * Maximum number of concurrent uploads, which leaves room on the server for a phone and for others behind the same
 * connection.
 */
const atOnce = 3
const triesMax = 4
const waitMax = 10 * SECOND

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** Uploads a photo, queued behind the others. If the server is busy, the upload is retried. */
async function sendPhoto<T>({ name, picture }: Photo, stage: (dataUrl: string) => Promise<T>): Promise<T> {
  const dataUrl = await readDataUrl(
    picture,
    isHeic({ name, type: picture.type }) ? 'image/heic' : picture.type,
  )
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTurn(() => stage(dataUrl))
    } catch (failure) {
      const wait = failure instanceof CallFailed ? (failure.retryAfterSeconds ?? 0) * SECOND : 0
      if (wait === 0 || wait > waitMax || tries === triesMax) throw failure
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}

const problemsByCode: Readonly<Record<string, FileProblem>> = {
  too_long: 'tooLarge',
  picture_too_small: 'tooSmall',
}

/** The server's problem with the file itself; null for any other failure. */
function fileProblemIn(failure: unknown): FileProblem | 'tooMany' | null {
  if (!(failure instanceof CallFailed) || failure.code !== 'validation_failed') return null
  const code = failure.errors[0]?.code
  return code === 'too_many' ? 'tooMany' : (problemsByCode[code ?? ''] ?? 'unreadable')
}
