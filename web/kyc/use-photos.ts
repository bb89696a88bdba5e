import { useEffect, useRef, useState } from 'react'
import { deleteKycPhoto, photosMax, stageKycPhoto } from '#contract/kyc.ts'
import { call, callWithProgress } from '../call/call.ts'
import { failureMessage } from '../actions/failure-message.ts'
import { useMessages } from '../i18n/messages.tsx'
import { findFileProblem, hasRoom, isTooSmall, type FileProblem, type LeftOut, type Photo } from './photos.ts'
import { isHeic, preparePicture } from '../prepare-picture.ts'
import { fileProblemIn, sendPhoto } from './send-photo.ts'

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
  const { t } = useMessages()
  const [list, setList] = useState<Photo[]>([])
  const [leftOut, setLeftOut] = useState<LeftOut[]>([])
  const [reading, setReading] = useState(0)
  // The current list, for responses that arrive after a later click.
  const current = useRef<Photo[]>([])

  function put(photos: Photo[]) {
    current.current = photos
    setList(photos)
  }
  const change = (id: number, part: Partial<Photo>) =>
    put(current.current.map((photo) => (photo.id === id ? { ...photo, ...part } : photo)))
  const find = (id: number) => current.current.find((photo) => photo.id === id)

  useEffect(
    () => () => {
      for (const { preview } of current.current) if (preview) URL.revokeObjectURL(preview)
    },
    [],
  )

  const findStored = (photoId: string) =>
    current.current.find(({ upload }) => upload.state === 'stored' && upload.photoId === photoId)

  async function send(photo: Photo) {
    const { id, picture, name } = photo
    const isCurrent = () => find(id)?.picture === picture
    change(id, { upload: { state: 'sending', sent: 0 } })
    try {
      const stored = await sendPhoto(photo, (dataUrl) =>
        place.stage(dataUrl, (sent) => {
          if (isCurrent()) change(id, { upload: { state: 'sending', sent } })
        }),
      )
      if (isCurrent()) change(id, { upload: { state: 'stored', photoId: stored.id } })
      else drop(stored.id)
    } catch (failure) {
      if (!isCurrent()) return
      const problem = fileProblemIn(failure)
      if (problem === 'tooMany') {
        remove(id)
        setLeftOut((known) => [...known, { name }])
      } else if (problem) change(id, { upload: { state: 'wrong', problem } })
      else change(id, { upload: { state: 'failed', message: failureMessage(t, failure) } })
    }
  }

  async function read(file: File, quarterTurns: number): Promise<Drawn> {
    const problem = findFileProblem(file)
    if (problem) return { picture: file, preview: null, problem }
    const drawn = await preparePicture(file, quarterTurns)
    if (!drawn) return { picture: file, preview: null, problem: isHeic(file) ? null : 'unreadable' }
    const preview = URL.createObjectURL(drawn.blob)
    return { picture: drawn.blob, preview, problem: isTooSmall(drawn) ? 'tooSmall' : null }
  }

  async function whileReading<T>(work: () => Promise<T>): Promise<T> {
    setReading((n) => n + 1)
    return work().finally(() => setReading((n) => n - 1))
  }

  function begin(
    id: number,
    { problem, ...drawn }: Drawn,
    about: Pick<Photo, 'name' | 'source' | 'quarterTurns'>,
  ) {
    const upload = problem ? ({ state: 'wrong', problem } as const) : ({ state: 'sending', sent: 0 } as const)
    const photo: Photo = { id, ...about, ...drawn, upload }
    const isKnown = find(id) !== undefined
    put(
      isKnown ? current.current.map((each) => (each.id === id ? photo : each)) : [...current.current, photo],
    )
    if (!problem) void send(photo)
  }

  const add = (files: readonly File[]) =>
    whileReading(async () => {
      const found: LeftOut[] = []
      for (const file of files) {
        const drawn = await read(file, 0)
        if (!drawn.problem && !hasRoom(current.current, max)) {
          if (drawn.preview) URL.revokeObjectURL(drawn.preview)
          found.push({ name: file.name })
          continue
        }
        lastId += 1
        begin(lastId, drawn, { name: file.name, source: file, quarterTurns: 0 })
      }
      setLeftOut(found)
    })

  function remove(id: number) {
    const photo = find(id)
    put(current.current.filter((each) => each.id !== id))
    if (photo) release(photo)
  }

  function release({ preview, upload }: Photo) {
    if (preview) URL.revokeObjectURL(preview)
    if (upload.state === 'stored') drop(upload.photoId)
  }

  /** If this fails, the server deletes the photo after two hours. */
  const drop = (photoId: string) => void place.drop(photoId).catch(() => {})

  function adopt(photoId: string, picture: File) {
    if (findStored(photoId)) return
    if (!hasRoom(current.current, max)) {
      drop(photoId)
      setLeftOut((known) => [...known, { name: picture.name }])
      return
    }
    put([...current.current, storedPhoto(photoId, picture)])
  }

  function bringBack(photoId: string, picture: File): boolean {
    if (findStored(photoId)) return true
    if (!hasRoom(current.current, max)) return false
    put([storedPhoto(photoId, picture), ...current.current])
    return true
  }

  const remake = (id: number, file: File, quarterTurns: number) =>
    whileReading(async () => {
      const drawn = await read(file, quarterTurns)
      const before = find(id)
      if (!before) return
      setLeftOut([])
      release(before)
      begin(id, drawn, { name: file.name, source: file, quarterTurns })
    })

  return {
    list,
    leftOut,
    isReading: reading > 0,
    whileReading,
    add,
    remove,
    turn: async (id) => {
      const photo = find(id)
      if (photo?.preview) await remake(id, photo.source, (photo.quarterTurns + 1) % 4)
    },
    replace: (id, file) => remake(id, file, 0),
    retry: (id) => {
      const photo = find(id)
      if (photo) void send(photo)
    },
    adopt,
    bringBack,
    forget: (photoId) => {
      const photo = findStored(photoId)
      if (photo) remove(photo.id)
    },
    fail: (photoId, message) => {
      const photo = findStored(photoId)
      if (photo) change(photo.id, { upload: { state: 'failed', message } })
    },
  }
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
