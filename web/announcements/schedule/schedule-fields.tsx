import { useId, type ReactNode } from 'react'
import { scheduleDaysMax } from '#contract/newsroom.ts'
import { joinDate } from '../../i18n/interpolate.ts'
import { locale } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import styles from './schedule.module.css'
import type { ScheduleState } from './use-schedule.ts'
import { offsetName } from './zoned-time.ts'
import { ownZone, zoneName, zonesToChoose } from './zones.ts'

/** Date, time, and time zone, and the resulting time in UTC and in the reader's own zone. */
export function ScheduleFields({ of, serverError }: { of: ScheduleState; serverError?: ReactNode }) {
  const { t } = useMessages()
  const { chosen, checked, change } = of
  const { first, rest } = zonesToChoose(chosen.zone)
  const values = { zone: zoneName(chosen.zone), days: scheduleDaysMax }
  const option = (zone: string) => (
    <option key={zone} value={zone}>
      {zoneName(zone)}
    </option>
  )
  return (
    <div className={styles.schedule}>
      <div className={styles.pair}>
        <TextField
          type="datetime-local"
          label={t('newsroom.schedule.time')}
          value={chosen.local}
          aria-required
          error={checked.problem ? t(`newsroom.schedule.${checked.problem}`, values) : serverError}
          onChange={(event) => change({ local: event.target.value.slice(0, 16) })}
        />
        <Select
          label={t('newsroom.schedule.zone')}
          value={chosen.zone}
          onChange={(event) => change({ zone: event.target.value })}
        >
          <optgroup label={t('newsroom.schedule.zone.near')}>{first.map(option)}</optgroup>
          <optgroup label={t('newsroom.schedule.zone.all')}>
            {rest.filter((zone) => !first.includes(zone)).map(option)}
          </optgroup>
        </Select>
      </div>
      {checked.isTwice && <Occurrence isLater={chosen.isLater} onChange={(isLater) => change({ isLater })} />}
      {checked.at !== null && <Moments at={checked.at} zone={chosen.zone} />}
    </div>
  )
}

/** Selects one occurrence of a local time that occurs twice. */
function Occurrence({ isLater, onChange }: { isLater: boolean; onChange: (isLater: boolean) => void }) {
  const { t } = useMessages()
  const name = useId()
  return (
    <fieldset className={styles.twice}>
      <legend>{t('newsroom.schedule.twice')}</legend>
      {[false, true].map((each) => (
        <label key={String(each)}>
          <input type="radio" name={name} checked={isLater === each} onChange={() => onChange(each)} />
          {t(each ? 'newsroom.schedule.second' : 'newsroom.schedule.first')}
        </label>
      ))}
    </fieldset>
  )
}

/** The chosen time in its zone, in UTC, and in the reader's own zone. */
function Moments({ at, zone }: { at: number; zone: string }) {
  const { t, language } = useMessages()
  const timeIn = (timeZone: string) =>
    joinDate(
      new Intl.DateTimeFormat(locale[language], { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
        at,
      ),
    )
  return (
    <dl className={styles.moment}>
      <div>
        <dt>{zoneName(zone)}</dt>
        <dd>
          {timeIn(zone)} <span>{offsetName(at, zone)}</span>
        </dd>
      </div>
      {zone !== 'UTC' && (
        <div>
          <dt>UTC</dt>
          <dd>{timeIn('UTC')}</dd>
        </div>
      )}
      {zone !== ownZone() && ownZone() !== 'UTC' && (
        <div>
          <dt>{t('newsroom.schedule.yours', { zone: zoneName(ownZone()) })}</dt>
          <dd>{timeIn(ownZone())}</dd>
        </div>
      )}
    </dl>
  )
}
