import { useEffect, useRef, useState } from 'react'
import { dropKycPhoto, photosMax, stageKycPhoto } from '#contract/kyc.ts'
import { call, CallFailed, callWithProgress } from '../call/call.ts'
import { failureWords } from '../actions/failure-words.ts'
import { useWords } from '../i18n/words.tsx'
import { fileProblem, type Photo, type PhotoProblem } from './photos.ts'
import { isHeic, preparePicture, readDataUrl } from './prepare-picture.ts'

export type Photos = {
  list: readonly Photo[]
  problems: readonly PhotoProblem[]
  isReading: boolean
  add(files: readonly File[]): Promise<void>
  remove(id: number): void
  turn(id: number): Promise<void>
  replace(id: number, file: File): Promise<void>
  retry(id: number): void
  /** Adds a photo that is already uploaded. */
  adopt(photoId: string, picture: File): void
  /** Removes a photo that was withdrawn elsewhere. */
  forget(photoId: string): void
}

/** Where photos are staged, and dropped again. */
export type PhotoPlace = {
  stage(photo: string, onProgress: (sent: number) => void): Promise<{ id: string }>
  drop(id: string): Promise<unknown>
}

const ownPlace: PhotoPlace = {
  stage: (photo, onProgress) => callWithProgress(stageKycPhoto, { body: { photo } }, onProgress),
  drop: (id) => call(dropKycPhoto, { params: { id } }),
}

let lastId = 0

/** The photos of a form: each is prepared in the browser and uploaded at once, so that submitting is quick. */
export function usePhotos(place: PhotoPlace = ownPlace, max: number = photosMax): Photos {
  const { t } = useWords()
  const [list, setList] = useState<Photo[]>([])
  const [problems, setProblems] = useState<PhotoProblem[]>([])
  const [reading, setReading] = useState(0)
  // The present list, for answers that arrive after a later click.
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

  async function send({ id, picture, name }: Photo) {
    const isCurrent = () => find(id)?.picture === picture
    change(id, { upload: { state: 'sending', sent: 0 } })
    try {
      const photo = await readDataUrl(
        picture,
        isHeic({ name, type: picture.type }) ? 'image/heic' : picture.type,
      )
      const stored = await place.stage(photo, (sent) => {
        if (isCurrent()) change(id, { upload: { state: 'sending', sent } })
      })
      if (isCurrent()) change(id, { upload: { state: 'stored', photoId: stored.id } })
      else drop(stored.id)
    } catch (failure) {
      if (!isCurrent()) return
      if (failure instanceof CallFailed && failure.code === 'validation_failed') {
        remove(id)
        setProblems((known) => [...known, { name, problem: 'unreadable' }])
      } else change(id, { upload: { state: 'failed', message: failureWords(t, failure) } })
    }
  }

  async function read(file: File, quarterTurns: number): Promise<Pick<Photo, 'picture' | 'preview'> | null> {
    const drawn = await preparePicture(file, quarterTurns)
    if (!drawn) return isHeic(file) ? { picture: file, preview: null } : null
    return { picture: drawn, preview: URL.createObjectURL(drawn) }
  }

  async function whileReading<T>(work: () => Promise<T>): Promise<T> {
    setReading((n) => n + 1)
    return work().finally(() => setReading((n) => n - 1))
  }

  const add = (files: readonly File[]) =>
    whileReading(async () => {
      const found: PhotoProblem[] = []
      for (const file of files) {
        const problem = fileProblem(file, current.current.length, max)
        const made = problem ? null : await read(file, 0)
        if (!made) {
          found.push({ name: file.name, problem: problem ?? 'unreadable' })
          continue
        }
        lastId += 1
        const photo: Photo = {
          id: lastId,
          name: file.name,
          source: file,
          quarterTurns: 0,
          upload: { state: 'sending', sent: 0 },
          ...made,
        }
        put([...current.current, photo])
        void send(photo)
      }
      setProblems(found)
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
    if (current.current.length >= max) {
      drop(photoId)
      setProblems((known) => [...known, { name: picture.name, problem: 'tooMany' }])
      return
    }
    lastId += 1
    const photo: Photo = {
      id: lastId,
      name: picture.name,
      source: picture,
      quarterTurns: 0,
      picture,
      preview: URL.createObjectURL(picture),
      upload: { state: 'stored', photoId },
    }
    put([...current.current, photo])
  }

  const remake = (id: number, file: File, quarterTurns: number) =>
    whileReading(async () => {
      const before = find(id)
      const problem = fileProblem(file, 0)
      const made = problem || !before ? null : await read(file, quarterTurns)
      if (!before || !find(id)) return
      setProblems(made ? [] : [{ name: file.name, problem: problem ?? 'unreadable' }])
      if (!made) return
      release(before)
      change(id, { name: file.name, source: file, quarterTurns, ...made })
      void send(find(id)!)
    })

  return {
    list,
    problems,
    isReading: reading > 0,
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
    forget: (photoId) => {
      const photo = current.current.find(
        ({ upload }) => upload.state === 'stored' && upload.photoId === photoId,
      )
      if (photo) remove(photo.id)
    },
  }
}
