// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { show } from '#tests/setup/show.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Lightbox } from './video-stage.tsx'

function Asking() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Delete</Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title="Really?"
        actions={<Button onClick={() => setIsOpen(false)}>Keep</Button>}
      >
        <p>It is gone then.</p>
      </Dialog>
    </>
  )
}

async function ask() {
  const { user } = show(<Asking />)
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  return { user, dialog: await screen.findByRole('dialog', { name: 'Really?' }) }
}

const expectClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

test('a dialog is named by its title and closed by its own buttons', async () => {
  const { user, dialog } = await ask()
  expect(dialog).toHaveTextContent('It is gone then.')
  await user.click(screen.getByRole('button', { name: 'Keep' }))
  await expectClosed()
})

test('Escape and a click outside request closing, a click inside does not', async () => {
  const { user, dialog } = await ask()
  await user.click(screen.getByText('It is gone then.'))
  expect(dialog).toHaveAttribute('open')
  // Browsers report Escape to a dialog in this way.
  fireEvent(dialog, new Event('cancel', { cancelable: true }))
  await expectClosed()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  await user.click(await screen.findByRole('dialog'))
  await expectClosed()
})

test('the title of a dialog is focused only where focusing the first field scrolled it away', async () => {
  const title = () => screen.getByRole('heading', { name: 'Really?' })
  const { user } = await ask()
  expect(title()).not.toHaveAttribute('tabindex')
  await user.click(screen.getByRole('button', { name: 'Keep' }))
  await expectClosed()

  const { showModal } = HTMLDialogElement.prototype
  vi.spyOn(HTMLDialogElement.prototype, 'showModal').mockImplementation(function open(
    this: HTMLDialogElement,
  ) {
    showModal.call(this)
    this.scrollTop = 80
  })
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByRole('dialog')).toHaveProperty('scrollTop', 0)
  expect(title()).toHaveFocus()
  vi.restoreAllMocks()
})

test('the lightbox closes by its button, by Escape, and by a click outside', async () => {
  let closings = 0
  const { user } = show(
    <Lightbox label="A node" closeLabel="Close" onClose={() => (closings += 1)}>
      <img src="/node.jpg" alt="A node" />
    </Lightbox>,
  )
  const dialog = screen.getByRole('dialog', { name: 'A node' })
  await user.click(screen.getByRole('img', { name: 'A node' }))
  expect(closings).toBe(0)
  await user.click(screen.getByRole('button', { name: 'Close' }))
  fireEvent(dialog, new Event('cancel', { cancelable: true }))
  await user.click(dialog)
  // The button is also outside the content.
  expect(closings).toBeGreaterThanOrEqual(3)
})

test('the reference of an order in a title is one piece that does not break at its hyphens', () => {
  show(
    <Dialog isOpen onClose={() => {}} title="Complete order COIN-8C507-A73EB?" actions={null}>
      <p>The member receives an email.</p>
    </Dialog>,
  )
  expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('Complete order COIN-8C507-A73EB?')
  expect(screen.getByText('COIN-8C507-A73EB').tagName).toBe('SPAN')
})
