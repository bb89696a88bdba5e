import { useState } from 'react'
import type { ZodMiniType } from 'zod/mini'
import type { FieldError } from '#contract/platform/errors.ts'
import { changesBetween, type FlatSettings, type SettingChange } from '#contract/people/settings.ts'
import { CallFailed } from '../../kernel/call/call.ts'
import { problemText, problemMessage } from '../../kernel/forms/problem-message.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { draftStore } from '../../kernel/state/draft-store.ts'
import { ofListedMethods } from './merge-settings.ts'

export type SavedSettings = { flat: FlatSettings; lastUpdated: string | null }

type StoredSettings = { base: SavedSettings; flat: FlatSettings }

type Options<Answer> = {
  memberId: string
  /** Name of the draft in this tab. */
  name: string
  saved: SavedSettings
  schema: ZodMiniType
  bodyOf: (flat: FlatSettings) => object
  /** Maps a path of the API to the form's field. */
  fieldOf: (path: string, flat: FlatSettings) => string
  load: () => Promise<SavedSettings>
  send: (flat: FlatSettings, lastUpdated: string | null) => Promise<Answer>
  onSaved: (answer: Answer | undefined) => void
}

/**
 * Edited settings, stored in this tab until they are saved, so that a reload, an error, or a revoked right loses
 * nothing. A concurrent save by someone else is a conflict of two states.
 */
export function useSettingsForm<Answer>(options: Options<Answer>) {
  const { memberId, name, saved, schema, bodyOf, fieldOf, load, send, onSaved } = options
  const { t } = useMessages()
  const store = draftStore<StoredSettings>(memberId, name)
  const [{ base, flat }, setKept] = useState<StoredSettings>(
    () => store.read() ?? { base: saved, flat: saved.flat },
  )
  const [isRestored, setRestored] = useState(() => store.read() !== null)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [conflict, setConflict] = useState<SavedSettings>()
  const changes: SettingChange[] = changesBetween(base.flat, ofListedMethods(flat))

  const keep = (next: StoredSettings) => {
    setKept(next)
    const isDirty = changesBetween(next.base.flat, ofListedMethods(next.flat)).length > 0
    store.write(isDirty ? next : null)
  }
  const set = (changed: FlatSettings) => {
    keep({ base, flat: { ...flat, ...changed } })
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([path]) => !isTouched(path, changed))),
    )
  }
  const discard = () => {
    keep({ base: saved, flat: saved.flat })
    setErrors({})
    setRestored(false)
  }
  /** Returns whether the input can be sent. If not, the fields show why. */
  const validate = (): boolean => {
    const { error } = schema.safeParse(bodyOf(flat))
    setErrors(
      Object.fromEntries(
        (error?.issues ?? []).map((issue) => [
          fieldOf(issue.path.join('.'), flat),
          problemMessage(t, problemText(issue)),
        ]),
      ),
    )
    return !error
  }
  const done = (answer: Answer | undefined) => {
    store.write(null)
    onSaved(answer)
  }
  const save = async (given: FlatSettings = flat, over: SavedSettings = base): Promise<void> => {
    try {
      done(await send(given, over.lastUpdated))
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure
      if (failure.code === 'conflict') return compare(given)
      if (failure.code !== 'validation_failed' || failure.errors.length === 0) throw failure
      setConflict(undefined)
      keep({ base: over, flat: given })
      setErrors(wordsOf(failure.errors, given))
    }
  }
  const wordsOf = (found: readonly FieldError[], given: FlatSettings) =>
    Object.fromEntries(found.map(({ path, message }) => [fieldOf(path, given), message]))
  const compare = async (mine: FlatSettings): Promise<void> => {
    const theirs = await load()
    // It has already been saved, either by this form with a lost response or elsewhere with the same values.
    if (changesBetween(theirs.flat, ofListedMethods(mine)).length === 0) return done(undefined)
    // It was saved without a change.
    if (changesBetween(base.flat, theirs.flat).length === 0) return save(mine, theirs)
    keep({ base, flat: mine })
    setConflict(theirs)
  }
  /** Continues in the form with the values that were chosen from both states. */
  const goOn = (chosen: FlatSettings, theirs: SavedSettings) => {
    setConflict(undefined)
    setRestored(false)
    keep({ base: theirs, flat: chosen })
  }
  return { base, flat, changes, errors, isRestored, conflict, set, discard, validate, save, goOn }
}

/** A list is validated as a whole, because problems may have moved within it. */
const isTouched = (path: string, changed: FlatSettings): boolean =>
  path in changed || Object.keys(changed).some((each) => path.startsWith(`${each}.`))

export type SettingsFormState = ReturnType<typeof useSettingsForm>
