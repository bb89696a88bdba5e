// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { getKycPhoto } from '#contract/people/kyc.ts'
import { reviewKycPhoto } from '#contract/people/kyc-review.ts'
import { aKycCase } from '#tests/setup/a-kyc-case.ts'
import { show } from '#tests/setup/show.tsx'
import { answering, callsOf } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { CasePhotos } from './case-photos.tsx'

const t = wordsOf('en')
const [first] = aKycCase().photos
const photos = [first!, { ...first!, n: 1 }]

test('each photo can be reviewed once its picture is drawn, in the round that was read', async () => {
  answering(getKycPhoto, 'a picture')
  answering(reviewKycPhoto, { ...first!, verdict: 'accepted' })
  const onReviewed = vi.fn<() => void>()
  const { user } = show(
    <CasePhotos
      kycCase={aKycCase({ photos, round: 3 })}
      mayReview
      onReviewed={onReviewed}
      onFailed={async () => {}}
    />,
  )
  await user.keyboard('a')
  expect(await screen.findByText(t('review.photo.notShown'))).toBeVisible()
  const picture = (number: number) => screen.findByAltText(t('review.photo', { number }))
  fireEvent.load(await picture(1))
  expect(screen.queryByText(t('review.photo.notShown'))).toBeNull()
  await user.keyboard('a')
  await screen.findByRole('heading', { name: t('review.photo.of', { number: 2, count: 2 }) })
  await user.keyboard('a')
  expect(await screen.findByText(t('review.photo.notShown'))).toBeVisible()
  fireEvent.load(await picture(2))
  await user.keyboard('a')
  await vi.waitFor(() => expect(onReviewed).toHaveBeenCalledTimes(2))
  const body = { verdict: 'accepted', reason: '', round: 3 }
  expect(callsOf(reviewKycPhoto)).toMatchObject([
    { params: { n: '0' }, body },
    { params: { n: '1' }, body },
  ])
})
