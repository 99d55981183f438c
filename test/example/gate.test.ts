import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { launchChromium } from './chromium.ts'
import { GatePage } from './gate-page.ts'
import { type Example, startExample } from './start-example.ts'

let example: Example
let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
  example = await startExample()
}, 60_000)

afterAll(async () => {
  await browser?.close()
  example?.stop()
})

const openTab = (): Promise<GatePage> => GatePage.open(browser, example.address)

describe.concurrent('a story', { timeout: 120_000 }, () => {
  test('a tool that takes time: stopped it may have run, and then the truth comes', async ({ expect }) => {
    const gate = await openTab()
    // The tool answers when the test lets it.
    let answer = (): void => {}
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve
    })
    await gate.page.route('**/tools/export_report', async (route) => {
      const response = await route.fetch()
      await mayAnswer
      await route.fulfill({ response })
    })
    await gate.play('A tool that takes time')
    await gate.block('Running export_report…').waitFor()
    await gate.button('Stop').click()
    await gate.block('export_report — may have run (cancelled)').waitFor()
    await gate.idle()
    expect(await gate.records()).toEqual([expect.stringContaining('export_report unknown · ran: unknown · cancelled')])
    answer()
    await gate.block('export_report — done').waitFor()
    expect(await gate.labels()).toEqual(['export_report — done'])
    expect(await gate.runs()).toEqual(['export_report'])
    // Still one record, known better.
    expect(await gate.records()).toEqual([expect.stringMatching(/^export_report completed · .*revision 1$/)])
    expect(await gate.seen()).not.toContain('not run')
    expect(gate.errors).toEqual([])
  })

  test('an approval: asked over a reload, approved by keyboard, run once, the focus on the label', async ({
    expect,
  }) => {
    const gate = await openTab()
    const { keyboard } = gate.page
    await gate.play('An approval')
    await gate.button('Approve').waitFor()
    await gate.page.reload()
    const question = gate.page.getByRole('group', { name: 'Run delete_folder?' })
    await question.waitFor()
    expect(await question.getByRole('button').allTextContents()).toEqual(['Decline', 'Approve'])
    expect(await question.textContent()).toContain('/drafts/2024')
    expect(await gate.runs()).toEqual([])
    await gate.button('Decline').focus()
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await gate.block('delete_folder — done').waitFor()
    expect(await gate.page.evaluate(() => document.activeElement?.textContent)).toBe('delete_folder — done')
    await gate.page.getByText('The folder and its 37 files are gone.').waitFor()
    await gate.idle()
    expect(await gate.runs()).toEqual(['delete_folder'])
    expect(await gate.records()).toEqual([expect.stringContaining('delete_folder completed · ran: yes')])
    expect(gate.errors).toEqual([])
  })

  test('an approval that is declined: nothing runs, and the model is told', async ({ expect }) => {
    const gate = await openTab()
    await gate.play('An approval')
    await gate.button('Decline').click()
    await gate.page.getByText('All right, the folder stays as it is.').waitFor()
    await gate.idle()
    expect(await gate.labels()).toEqual(['delete_folder — not run (you declined)'])
    expect(await gate.page.evaluate(() => document.activeElement?.textContent)).toBe(
      'delete_folder — not run (you declined)',
    )
    expect(await gate.runs()).toEqual([])
    expect(gate.errors).toEqual([])
  })

  test('a question that is declined after a reload ends its turn, and the next story works', async ({ expect }) => {
    const gate = await openTab()
    await gate.play('An approval')
    await gate.button('Decline').waitFor()
    await gate.page.reload()
    await gate.button('Decline').click()
    await gate.block('delete_folder — not run (you declined)').waitFor()
    await gate.idle()
    await gate.play('A correction')
    await gate.block('book_room — done').waitFor()
    await gate.idle()
    expect(await gate.runs()).toEqual(['book_room'])
    expect(gate.errors).toEqual([])
  })

  test('a correction: the user sees one call that goes well, the events the round trip', async ({ expect }) => {
    const gate = await openTab()
    await gate.play('A correction')
    await gate.page.getByText('Harbour is booked for six people at 15:00.').waitFor()
    await gate.idle()
    expect(await gate.labels()).toEqual(['book_room — done'])
    const seen = await gate.seen()
    expect(seen).toContain('Preparing book_room…')
    expect(seen).not.toContain('not run')
    const events = await gate.events()
    expect(events.filter((text) => text.startsWith('an error result for the model:'))).toEqual([
      expect.stringContaining('people'),
    ])
    expect(events.at(-1)).toBe('turn over: complete; requests: 3; correction 1: 1 of 1')
    expect(await gate.records()).toEqual([
      expect.stringMatching(/^book_room schema-error · ran: no .* attempt 1/),
      expect.stringMatching(/^book_room completed · ran: yes .* attempt 2/),
    ])
    expect(await gate.runs()).toEqual(['book_room'])
    expect(gate.errors).toEqual([])
  })

  test('details that nothing can satisfy: ends after one round trip, and says so', async ({ expect }) => {
    const gate = await openTab()
    await gate.play('Details that nothing can satisfy')
    await gate.block('move_flight — not run (the details were not valid)').waitFor()
    await gate.idle()
    expect(await gate.page.locator('.htc-notice').textContent()).toBe('Not run: move_flight.')
    expect(await gate.page.getByText('Add the missing detail.').isVisible()).toBe(true)
    expect(await gate.button('Try again').count()).toBe(0)
    expect((await gate.events()).filter((text) => text.startsWith('request '))).toEqual(['request 1', 'request 2'])
    expect(await gate.runs()).toEqual([])
    expect(gate.errors).toEqual([])
  })

  test('a payment that went out: may have run, is checked and never tried again', async ({ expect }) => {
    const gate = await openTab()
    await gate.play('A payment that went out')
    await gate.block('send_payment — may have run (connection lost)').waitFor()
    await gate.idle()
    expect(await gate.button('Try again').count()).toBe(0)
    expect(await gate.runs()).toEqual(['send_payment'])
    await gate.button('Check').focus()
    await gate.page.keyboard.press('Enter')
    await gate.block('send_payment — done').waitFor()
    expect(await gate.page.evaluate(() => document.activeElement?.textContent)).toBe('send_payment — done')
    expect(await gate.button('Try again').count()).toBe(0)
    expect(await gate.runs()).toEqual(['send_payment'])
    expect(await gate.seen()).not.toContain('not run')
    expect(gate.errors).toEqual([])
  })

  test('a payment whose page is reloaded before anybody has checked can still be checked', async ({ expect }) => {
    const gate = await openTab()
    await gate.play('A payment that went out')
    await gate.button('Check').waitFor()
    await gate.idle()
    await gate.page.reload()
    await gate.block('send_payment — may have run (connection lost)').waitFor()
    await gate.button('Check').click()
    await gate.block('send_payment — done').waitFor()
    await gate.page.reload()
    await gate.block('send_payment — done').waitFor()
    expect(await gate.runs()).toEqual(['send_payment'])
    expect(gate.errors).toEqual([])
  })

  test('a payment that did not go out: tried again only once the bank has said so', async ({ expect }) => {
    const gate = await openTab()
    await gate.play('A payment that did not go out')
    await gate.block('send_payment — may have run (connection lost)').waitFor()
    await gate.idle()
    expect(await gate.button('Try again').count()).toBe(0)
    await gate.button('Check').click()
    await gate.block('send_payment — not run (never started)').waitFor()
    expect(await gate.runs()).toEqual([])
    await gate.button('Try again').click()
    await gate.page.getByText('The rent is paid.').waitFor()
    await gate.idle()
    expect(await gate.labels()).toEqual(['send_payment — not run (never started)', 'send_payment — done'])
    expect(await gate.button('Try again').count()).toBe(0)
    expect(await gate.runs()).toEqual(['send_payment'])
    expect(gate.errors).toEqual([])
  })

  test('a reply that is cut short: tried again in a turn of its own, until the conversation has moved on', async ({
    expect,
  }) => {
    const gate = await openTab()
    await gate.play('A reply that is cut short')
    await gate.block('save_minutes — not run (the request was cut short)').waitFor()
    await gate.idle()
    expect(await gate.page.locator('[data-offer]').textContent()).toBe('Ask for less at once.Try again')
    await gate.button('Try again').click()
    await gate.page.getByText('The minutes are saved.').waitFor()
    await gate.idle()
    expect(await gate.labels()).toEqual(['save_minutes — not run (the request was cut short)', 'save_minutes — done'])
    expect(await gate.button('Try again').count()).toBe(0)
    const turns = await gate.page.evaluate(() => {
      const { snapshot } = JSON.parse(sessionStorage.getItem('honest-tool-calls gate') ?? '{}')
      return snapshot.turns.map(({ id, retryOf }: { id: string; retryOf?: { turnId: string } }) => [
        id,
        retryOf?.turnId,
      ])
    })
    expect(turns).toEqual([
      [expect.any(String), undefined],
      [expect.any(String), turns[0][0]],
    ])
    expect(await gate.runs()).toEqual(['save_minutes'])
    expect(gate.errors).toEqual([])
  })
})

describe.concurrent('the page of the gate', { timeout: 120_000 }, () => {
  test('plays all stories in one conversation that no provider would refuse, one record for each call', async ({
    expect,
  }) => {
    const gate = await openTab()
    for (const [title, then, label] of [
      ['A payment that went out', 'Check', 'send_payment — done'],
      ['An approval', 'Decline', 'delete_folder — not run (you declined)'],
      ['A reply that is cut short', null, 'save_minutes — not run (the request was cut short)'],
      ['Details that nothing can satisfy', null, 'move_flight — not run (the details were not valid)'],
      ['A correction', null, 'book_room — done'],
    ] as const) {
      await gate.play(title)
      if (then !== null) await gate.button(then).click()
      await gate.block(label).waitFor()
      await gate.idle()
    }
    expect((await gate.records()).map((line) => line.split(' · ')[0])).toEqual([
      'send_payment completed',
      'delete_folder cancelled',
      'save_minutes truncated',
      'move_flight schema-error',
      'move_flight schema-error',
      'book_room schema-error',
      'book_room completed',
    ])
    expect((await gate.events()).filter((text) => text.includes('refused'))).toEqual([])
    expect(gate.errors).toEqual([])
  })

  test('nothing is wider than a window of 320 pixels, and what was asked for is in view', async ({ expect }) => {
    const gate = await openTab()
    const { page } = gate
    await page.setViewportSize({ width: 320, height: 640 })
    await gate.play('An approval')
    await gate.button('Approve').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    expect(await gate.button('Stop').evaluate((stop) => stop.getBoundingClientRect().top < innerHeight)).toBe(true)
  })

  test('the server refuses what a provider would refuse', async ({ expect }) => {
    const ask = async (messages: readonly object[]) => {
      const response = await fetch(`${example.address}api/gate/test/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'scripted', max_tokens: 10, messages }),
      })
      await response.text()
      return response.status
    }
    const user = { role: 'user', content: 'Hello.' }
    const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'send_payment', input: {} }] }
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'Sent.' }] }
    expect(await ask([user])).toBe(200)
    expect(await ask([user, call, result])).toBe(200)
    for (const wrong of [
      [],
      [call, result],
      [user, call],
      [user, call, user],
      [user, result],
      [user, call, result, call],
    ])
      expect([wrong, await ask(wrong)]).toEqual([wrong, 400])
  })
})
